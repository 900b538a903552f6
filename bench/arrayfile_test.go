package bench

import (
	"errors"
	"strings"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/partition"
)

// fullDisk returns an error for each write.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// An array is gathered in pieces; one that cannot be written ends the job with the reason, on all ranks.
func TestArrayThatCannotBeWritten(t *testing.T) {
	layout := partition.NewCyclic(2*arrayPiece+5, 3)
	err := comm.Loopback(3, func(t comm.Transport) error {
		return comm.Agree(t, parentEncoding.gather(t, layout, make([]graph.Global, layout.Count(t.Rank())), fullDisk{}))
	})
	if err == nil || !strings.HasPrefix(err.Error(), "rank 0: ") || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("the job ended with %v", err)
	}
}
