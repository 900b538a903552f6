// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device_test

import (
	"fmt"
	"slices"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/internal/expect"
)

// The benchmarks of transports run on as many ranks as there are GPUs: goroutines or, under mpirun, processes.
//
//	go test -tags cuda -run '^$' -bench . ./gpu/device
//	go test -tags 'cuda mpi' -c -o device.test ./gpu/device
//	mpirun -np 4 device.test -test.run '^$' -test.bench Transport -test.benchtime 20x

// BenchmarkCopy copies between device memory and Go's memory.
func BenchmarkCopy(b *testing.B) {
	defer gputest.Fatal(b)
	const size = 1 << 30
	d := gputest.Must(cuda.Open(0))
	defer d.Close()
	m := gputest.Must(d.Alloc("copy", size))
	host := make([]byte, size)
	for name, call := range map[string]func() error{
		"read":  func() error { return cuda.Read(host, m.Memory, 0) },
		"write": func() error { return cuda.Write(m.Memory, 0, host) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				expect.NoError(b, call())
			}
		})
	}
}

// BenchmarkTransportAllGather measures AllGather; bytes are the size of a rank's part.
func BenchmarkTransportAllGather(b *testing.B) {
	benchmarkTransports(b, func(c device.Transport, bytes int64) func() error {
		w := gputest.Must(c.Open("parts", int64(c.Host().Size())*bytes))
		return func() error { return c.AllGather(w, bytes) }
	})
}

// BenchmarkTransportAllToAll sends equal messages to all ranks, including the sender.
func BenchmarkTransportAllToAll(b *testing.B) {
	benchmarkTransports(b, func(c device.Transport, bytes int64) func() error {
		n := c.Host().Size()
		w := gputest.Must(c.Open("messages", int64(n)*bytes))
		send := gputest.Must(c.Device().Alloc("messages", int64(n)*bytes))
		counts := slices.Repeat([]int64{bytes}, n)
		return func() error { _, err := c.AllToAll(send.Memory, counts, w); return err }
	})
}

func benchmarkTransports(b *testing.B, prepare func(c device.Transport, bytes int64) func() error) {
	defer gputest.Fatal(b)
	ranks, launch := max(2, len(gputest.Must(cuda.Cards()))), bfstest.Launch(comm.Loopback)
	if gputest.World != nil {
		ranks, launch = gputest.World.Size(), gputest.InWorld
	}
	for _, name := range []string{device.MPITransport, device.PeerTransport} {
		for _, bytes := range []int64{1 << 10, 64 << 10, 1 << 20, 16 << 20, 256 << 20} {
			b.Run(fmt.Sprintf("%s/ranks=%d/bytes=%d", name, ranks, bytes), func(b *testing.B) {
				b.SetBytes(int64(ranks-1) * bytes) // received by each rank from others
				gputest.OnRanks(b, launch, ranks, func(host comm.Transport) {
					place, _ := comm.Place(host)
					d := gputest.Must(cuda.Open(place))
					c := gputest.Must(gputest.Chosen(name)(host, d, device.StagingBytes))
					call := prepare(c, bytes)
					gputest.Check(call()) // the first call allocates memory
					timed := host.Rank() == 0 || gputest.World != nil
					if timed {
						b.ResetTimer()
					}
					for range b.N {
						gputest.Check(call())
					}
					if timed {
						b.StopTimer()
					}
					gputest.Check(c.Close(), d.Close())
				})
			})
		}
	}
}
