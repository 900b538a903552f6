//go:build cuda && cgo

package device

import (
	"fmt"
	"os"
	"slices"

	"g500/comm"
	"g500/internal/machine"
)

// TryConcurrency returns an error unless kernels of a process's ranks run at the same time, because in a search they
// wait for each other. It is collective.
func TryConcurrency(t Transport) error {
	ranks, err := comm.Sharers(t.Host(), fmt.Sprintf("%s %d", machine.NodeID(), os.Getpid()))
	if err != nil {
		return err
	}
	number, err := t.Device().NextConcurrencyTrial()
	if err := comm.Agree(t.Host(), err); err != nil {
		return err
	}
	if len(ranks) > 1 {
		err = t.Device().TryConcurrency(number, slices.Index(ranks, t.Host().Rank()), len(ranks))
	}
	return comm.Agree(t.Host(), err)
}
