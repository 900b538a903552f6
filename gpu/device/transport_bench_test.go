//go:build cuda && cgo

package device_test

import (
	"errors"
	"fmt"
	"testing"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
)

// The benchmarks of transports run on as many ranks as there are GPUs, goroutines or, under mpirun, processes:
//
//	go test -tags cuda -run '^$' -bench . ./gpu/device
//	go test -tags 'cuda mpi' -c -o device.test ./gpu/device
//	mpirun -np 4 device.test -test.run '^$' -test.bench Transport -test.benchtime 20x

// BenchmarkCopy copies between the device and memory of Go's.
func BenchmarkCopy(b *testing.B) {
	const size = 1 << 30
	d, err := cuda.Open(0)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	m, err := d.Alloc("copy", size)
	if err != nil {
		b.Fatal(err)
	}
	host := make([]byte, size)
	for name, call := range map[string]func() error{
		"read":  func() error { return cuda.Read(host, m.Memory, 0) },
		"write": func() error { return cuda.Write(m.Memory, 0, host) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			for range b.N {
				if err := call(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkTransportAllGather brings the same to all: bytes are those of a rank's part.
func BenchmarkTransportAllGather(b *testing.B) {
	benchmarkTransports(b, func(c device.Transport, bytes int64) (func() error, error) {
		w, err := c.Open("parts", int64(c.Host().Size())*bytes)
		return func() error { return c.AllGather(w, bytes) }, err
	})
}

// BenchmarkTransportAllToAll sends as much to each rank, itself too.
func BenchmarkTransportAllToAll(b *testing.B) {
	benchmarkTransports(b, func(c device.Transport, bytes int64) (func() error, error) {
		n := c.Host().Size()
		w, err := c.Open("messages", int64(n)*bytes)
		if err != nil {
			return nil, err
		}
		send, err := c.Device().Alloc("messages", int64(n)*bytes)
		if err != nil {
			return nil, err
		}
		counts := make([]int64, n)
		for r := range counts {
			counts[r] = bytes
		}
		return func() error { _, err := c.AllToAll(send.Memory, counts, w); return err }, nil
	})
}

func benchmarkTransports(b *testing.B, prepare func(c device.Transport, bytes int64) (func() error, error)) {
	cards, err := cuda.Cards()
	if err != nil {
		b.Fatal(err)
	}
	ranks, launch := max(2, len(cards)), comm.Loopback
	if gputest.World != nil {
		ranks, launch = gputest.World.Size(), gputest.InWorld
	}
	for _, way := range gputest.Transports[:2] {
		for _, bytes := range []int64{1 << 10, 64 << 10, 1 << 20, 16 << 20, 256 << 20} {
			b.Run(fmt.Sprintf("%s/ranks=%d/bytes=%d", way.Name, ranks, bytes), func(b *testing.B) {
				b.SetBytes(int64(ranks-1) * bytes) // that each rank gets from others
				err := launch(ranks, func(t comm.Transport) error {
					return benchmarkRank(b, t, way.Join, func(c device.Transport) (func() error, error) {
						return prepare(c, bytes)
					})
				})
				if err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// benchmarkRank times calls on one rank.
func benchmarkRank(
	b *testing.B, t comm.Transport, join gputest.Join, prepare func(device.Transport) (func() error, error),
) (err error) {
	place, _ := comm.Place(t)
	d, err := cuda.Open(place)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	c, err := join(t, d, device.StagingBytes)
	if err != nil {
		return err
	}
	call, err := prepare(c)
	if err != nil {
		return err
	}
	if err := call(); err != nil { // brings everything to its place
		return err
	}
	timed := t.Rank() == 0 || gputest.World != nil
	if timed {
		b.ResetTimer()
	}
	for range b.N {
		if err := call(); err != nil {
			return err
		}
	}
	if timed {
		b.StopTimer()
	}
	return c.Close()
}
