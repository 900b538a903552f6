//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"g500/cuda"
	"g500/internal/machine"
)

// boards are what ranks of one host read of each other where they are no peers: of each a run of host memory, equally
// long for all. Other ranks exchange messages, and so do those of a host on which one of them can have no boards.
type boards struct {
	of    []*cuda.Buffer // by rank, this one's included; nil where there is none to be read
	fault error          // why ranks of this host exchange messages
}

// useBoards is false in tests of messages between ranks of one host.
var useBoards = true

// openBoards makes and exchanges the boards. It is collective.
func openBoards(t DeviceTransport, bytes int64) (*boards, error) {
	b := &boards{of: make([]*cuda.Buffer, t.Host().Size())}
	if !useBoards {
		return b, nil
	}
	places, err := tellAll(t.Host(), []byte(place()))
	if err != nil {
		return nil, err
	}
	here := make([]bool, len(places))
	readers := 0
	for r := range places {
		here[r] = len(places[r]) > 0 && string(places[r]) == place()
		if here[r] && r != t.Host().Rank() && !t.Peer(r) {
			readers++
		}
	}
	var name string
	if readers > 0 {
		file, fault := b.make(t, bytes)
		if b.fault = fault; fault == nil {
			defer file.Close() // when the others have opened it, or have not been able to
			name = fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), file.Fd())
		}
	}
	names, err := tellAll(t.Host(), []byte(name))
	if err == nil {
		b.open(t, bytes, here, names)
		err = b.agree(t, here)
	}
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// place names what ranks that can share memory have in common: the host, and the table in which its processes have their
// numbers. It is empty where that is not known.
func place() string {
	table, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return machine.HostID() + " " + table
}

// make makes this rank's board.
func (b *boards) make(t DeviceTransport, bytes int64) (*os.File, error) {
	file, err := cuda.NewMemoryFile(bytes)
	if err != nil {
		return nil, err
	}
	if b.of[t.Host().Rank()], err = t.Device().MapFile("board", file, bytes); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// open opens the boards of ranks that are here and no peers, by their names. What fails is kept in b.fault.
func (b *boards) open(t DeviceTransport, bytes int64, here []bool, names [][]byte) {
	for r, name := range names {
		if r == t.Host().Rank() || !here[r] || t.Peer(r) || len(name) == 0 || b.fault != nil {
			continue
		}
		file, err := os.OpenFile(string(name), os.O_RDWR, 0)
		if err != nil {
			b.fault = fmt.Errorf("gpu: memory of rank %d: %w", r, err)
			return
		}
		b.of[r], b.fault = t.Device().MapFile(fmt.Sprintf("board of rank %d", r), file, bytes)
		file.Close()
	}
}

// agree gives up all boards of a host if one of its ranks has met a fault.
func (b *boards) agree(t DeviceTransport, here []bool) error {
	var text string
	if b.fault != nil {
		text = b.fault.Error()
	}
	told, err := tellAll(t.Host(), []byte(text))
	if err != nil {
		return err
	}
	for r, fault := range told {
		if here[r] && len(fault) > 0 {
			b.fault = fmt.Errorf("rank %d: %s", r, strings.TrimPrefix(string(fault), "gpu: "))
			return b.Close()
		}
	}
	return nil
}

// memory is the boards as devices know them.
func (b *boards) memory() []cuda.Memory {
	all := make([]cuda.Memory, len(b.of))
	for r, board := range b.of {
		if board != nil {
			all[r] = board.Memory
		}
	}
	return all
}

// shared is the number of other ranks whose boards this one reads.
func (b *boards) shared() (n int64) {
	for _, board := range b.of {
		if board != nil {
			n++
		}
	}
	return max(n-1, 0)
}

// Close ends this rank's use of all boards. Those of others stay as long as anybody uses them.
func (b *boards) Close() error {
	var faults []error
	for r, board := range b.of {
		if board != nil {
			faults = append(faults, board.Free())
		}
		b.of[r] = nil
	}
	return errors.Join(faults...)
}
