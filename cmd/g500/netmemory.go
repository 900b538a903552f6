package main

import (
	"fmt"
	"io"

	"g500/bench"
	"g500/comm"
)

// checkMemory announces on rank 0 the memory that the messages take, and refuses messages that do not fit into a rank's
// share of its host's memory. GPU memory is checked when it is allocated. checkMemory is collective.
func (o netOptions) checkMemory(t comm.Transport, errOut io.Writer) error {
	need := 2 * o.plan.Room(t.Size()) // messages to send, and as many to receive
	if t.Rank() == 0 {
		fmt.Fprintf(errOut, "memory: %s per rank, ranks: %d (messages)\n", bench.Bytes(need), t.Size())
	}
	if o.engine == gpuEngine {
		return nil
	}
	room, err := bench.HostRoom(t)
	if err != nil {
		return err
	}
	var short error
	if room.Bytes > 0 && need > room.Bytes {
		short = fmt.Errorf("messages of %s need %s on each of %d ranks, and %s has %s for each: let --sizes end at "+
			"%d bytes, or use more hosts", bench.Bytes(int64(o.plan.Sizes[len(o.plan.Sizes)-1])), bench.Bytes(need), t.Size(),
			room.Holder, bench.Bytes(room.Bytes), room.Bytes/2)
	}
	return comm.Agree(t, short)
}
