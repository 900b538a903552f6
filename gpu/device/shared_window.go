//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"g500/comm"
	"g500/cuda"
	"g500/internal/machine"
)

// SharedWindows are windows of equal lengths in host memory, through which remote ranks of a node exchange. Remote
// ranks exchange messages instead if they are on different nodes or if a window of the node fails.
type SharedWindows struct {
	of    []*cuda.Buffer // by rank, including this one; nil for peers and ranks of other nodes
	fault error          // the reason why ranks of this node exchange messages
}

// UseSharedWindows is false in tests of messages between ranks of one node.
var UseSharedWindows = true

// OpenSharedWindows creates a window on each rank that needs one, and opens the other ranks' windows. It is collective.
func OpenSharedWindows(t Transport, bytes int64) (*SharedWindows, error) {
	s := &SharedWindows{of: make([]*cuda.Buffer, t.Host().Size())}
	if !UseSharedWindows {
		return s, nil
	}
	places, err := comm.AllGatherBytes(t.Host(), []byte(place()))
	if err != nil {
		return nil, err
	}
	nodes := t.Host().Nodes()
	here := make([]bool, len(places))
	readers := 0
	for r := range places {
		here[r] = len(places[r]) > 0 && string(places[r]) == place() && nodes[r] == nodes[t.Host().Rank()]
		if here[r] && r != t.Host().Rank() && !t.Peer(r) {
			readers++
		}
	}
	var name string
	if readers > 0 {
		file, fault := s.make(t, bytes)
		if s.fault = fault; fault == nil {
			defer file.Close() // after the others have tried to open it
			name = fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), file.Fd())
		}
	}
	names, err := comm.AllGatherBytes(t.Host(), []byte(name))
	if err == nil {
		s.open(t, bytes, here, names)
		err = s.agree(t, here)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// place identifies the node and its namespace of process numbers, in which ranks can share memory. It is empty if the
// namespace is unknown.
func place() string {
	table, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return machine.NodeID() + " " + table
}

// make creates this rank's window.
func (s *SharedWindows) make(t Transport, bytes int64) (*os.File, error) {
	file, err := cuda.NewMemoryFile(bytes)
	if err != nil {
		return nil, err
	}
	s.of[t.Host().Rank()], err = t.Device().MapFile("shared-memory window", file, bytes)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// open opens the windows of remote ranks that are here, by the names of their files. It stores an error in s.fault.
func (s *SharedWindows) open(t Transport, bytes int64, here []bool, names [][]byte) {
	for r, name := range names {
		if r == t.Host().Rank() || !here[r] || t.Peer(r) || len(name) == 0 || s.fault != nil {
			continue
		}
		file, err := os.OpenFile(string(name), os.O_RDWR, 0)
		if err != nil {
			s.fault = fmt.Errorf("gpu: memory of rank %d: %w", r, err)
			return
		}
		s.of[r], s.fault = t.Device().MapFile(fmt.Sprintf("shared-memory window of rank %d", r), file, bytes)
		file.Close()
	}
}

// agree closes all windows of a node if one of its ranks has a fault.
func (s *SharedWindows) agree(t Transport, here []bool) error {
	var text string
	if s.fault != nil {
		text = s.fault.Error()
	}
	faults, err := comm.AllGatherBytes(t.Host(), []byte(text))
	if err != nil {
		return err
	}
	for r, fault := range faults {
		if here[r] && len(fault) > 0 {
			s.fault = fmt.Errorf("rank %d: %s", r, strings.TrimPrefix(string(fault), "gpu: "))
			return s.Close()
		}
	}
	return nil
}

// Memory returns the windows by rank, empty for ranks without one.
func (s *SharedWindows) Memory() []cuda.Memory {
	all := make([]cuda.Memory, len(s.of))
	for r, window := range s.of {
		if window != nil {
			all[r] = window.Memory
		}
	}
	return all
}

// Ranks returns the number of remote ranks whose windows this rank reads.
func (s *SharedWindows) Ranks() (n int64) {
	for _, window := range s.of {
		if window != nil {
			n++
		}
	}
	return max(n-1, 0)
}

// Close ends this rank's use of all windows. The system frees their memory when no rank uses it.
func (s *SharedWindows) Close() error {
	if s == nil {
		return nil
	}
	err := cuda.Free(s.of...)
	clear(s.of)
	return err
}
