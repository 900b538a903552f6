package comm_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"g500/comm"
)

// The benchmarks run on the loopback, or under mpirun on MPI:
//
//	go test -run '^$' -bench . ./comm
//	go test -tags mpi -c -o comm.test ./comm && mpirun -np 2 comm.test -test.run '^$' -test.bench . -test.benchtime 1000x

// benchmark times a call on all ranks. bytes returns the bytes that all ranks together receive in one call.
func benchmark(b *testing.B, name string, bytes func(ranks int) int, prepare func(comm.Transport) func() error) {
	sizes, launch := []int{1, 2, 4}, comm.Loopback
	if world != nil {
		sizes, launch = []int{world.Size()}, inWorld
		if !strings.HasSuffix(flag.Lookup("test.benchtime").Value.String(), "x") {
			b.Skip("under mpirun all ranks must make the same number of calls: use -test.benchtime 1000x")
		}
	}
	for _, n := range sizes {
		b.Run(fmt.Sprintf("%s/ranks=%d", name, n), func(b *testing.B) {
			err := launch(n, func(t comm.Transport) error {
				call := prepare(t)
				if err := call(); err != nil { // allocates the buffers
					return err
				}
				if err := t.Barrier(); err != nil {
					return err
				}
				if t.Rank() == 0 || world != nil {
					b.ResetTimer()
				}
				for range b.N {
					if err := call(); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			perCall := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(perCall*1e6, "µs/call")
			if moved := bytes(n); moved > 0 {
				b.ReportMetric(float64(moved)/perCall/1e9, "GB/s")
			}
		})
	}
}

func none(int) int { return 0 }

func BenchmarkBarrier(b *testing.B) {
	benchmark(b, "wait", none, func(t comm.Transport) func() error { return t.Barrier })
}

func BenchmarkAllReduce(b *testing.B) {
	for _, count := range []int{1, 16, 1024} {
		benchmark(b, fmt.Sprintf("values=%d", count), none, func(t comm.Transport) func() error {
			vals := make([]int64, count)
			return func() error { return t.AllReduce(vals, comm.Sum) }
		})
	}
}

// lengths are lengths of messages, in bytes.
var lengths = []int{8, 512, 4 << 10, 32 << 10, 1 << 20, 8 << 20}

func BenchmarkAllGather(b *testing.B) {
	for _, length := range lengths {
		benchmark(b, fmt.Sprintf("bytes=%d", length), func(n int) int { return n * (n - 1) * length },
			func(t comm.Transport) func() error {
				words := make([]uint64, t.Size()*length/8)
				return func() error { return t.AllGather(words) }
			})
	}
}

func BenchmarkAllToAll(b *testing.B) {
	for _, length := range lengths {
		benchmark(b, fmt.Sprintf("bytes=%d", length), func(n int) int { return n * n * length },
			func(t comm.Transport) func() error {
				send := make([][]byte, t.Size())
				for r := range send {
					send[r] = make([]byte, length)
				}
				return func() error {
					_, err := t.AllToAll(send)
					return err
				}
			})
	}
}

func BenchmarkAllToAllInto(b *testing.B) {
	for _, length := range append(lengths, 16<<20) {
		benchmark(b, fmt.Sprintf("bytes=%d", length), func(n int) int { return n * (n - 1) * length },
			func(t comm.Transport) func() error {
				send, into := make([][]byte, t.Size()), make([][]byte, t.Size())
				for r := range send {
					if r != t.Rank() {
						send[r], into[r] = make([]byte, length), make([]byte, length)
					}
				}
				return func() error { return t.AllToAllInto(send, into) }
			})
	}
}

// BenchmarkAllToAllPieces moves pieces of at most 512 KiB, as the staged transport between GPUs.
func BenchmarkAllToAllPieces(b *testing.B) {
	for _, length := range []int{1 << 20, 8 << 20} {
		benchmark(b, fmt.Sprintf("bytes=%d", length), func(n int) int { return n * (n - 1) * length },
			func(t comm.Transport) func() error {
				p := newReadyPieces(t, length)
				return func() error { return t.AllToAllPieces(p) }
			})
	}
}

// readyPieces are always ready.
type readyPieces struct {
	rank, pieces int
	out, in      [][comm.PiecesInFlight][]byte
}

func newReadyPieces(t comm.Transport, length int) *readyPieces {
	piece := min(512<<10, length/comm.PiecesInFlight)
	p := &readyPieces{rank: t.Rank(), pieces: length / piece}
	p.out, p.in = make([][comm.PiecesInFlight][]byte, t.Size()), make([][comm.PiecesInFlight][]byte, t.Size())
	for r := range p.out {
		for i := range p.out[r] {
			p.out[r][i], p.in[r][i] = make([]byte, piece), make([]byte, piece)
		}
	}
	return p
}

func (p *readyPieces) Enter() (leave func(), err error) { return func() {}, nil }

func (p *readyPieces) Counts(rank int) (sent, received int) {
	if rank == p.rank {
		return 0, 0
	}
	return p.pieces, p.pieces
}

func (p *readyPieces) Out(rank, i int) ([]byte, error) {
	return p.out[rank][i%comm.PiecesInFlight], nil
}
func (p *readyPieces) In(rank, i int) ([]byte, error) { return p.in[rank][i%comm.PiecesInFlight], nil }
func (p *readyPieces) Arrived(int, int) error         { return nil }
