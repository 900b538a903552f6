// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"fmt"

	"g500/comm"
	"g500/internal/trace"
)

// checkAdvance returns an error, the same on all ranks, if the threshold has not grown, so the push would not
// terminate. This happens only if a weight is not a number. It is collective in this case.
func (p *pusher) checkAdvance() error {
	if p.threshold > p.floor {
		return nil
	}
	all := []int64{int64(p.settledHere()), int64(p.s.Connected())}
	if err := p.t.AllReduce(all, comm.Sum); err != nil {
		return err
	}
	return comm.Agree(p.t, fmt.Errorf("shortest paths make no progress in step %q: after %d rounds the window from %g "+
		"on ends at %g, with the nearest landmark at %g and a reach of %g; %d of %d vertices are settled: check that all "+
		"weights are numbers from 0 on", trace.PushStep, p.rounds, p.floor, p.threshold, p.nearest, p.reach, all[0], all[1]))
}
