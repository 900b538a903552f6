// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"g500/comm"
	"g500/internal/power"
	"g500/record"
)

// powerPeriod is the time between two readings of a meter: GPUs have a new figure every 20 to 100 ms, processors every
// millisecond.
const powerPeriod = 10 * time.Millisecond

// openMeters opens this rank's meters. refused is the reason of the first rank without a meter, "" if there is none. It
// is collective.
func (b *benchmark) openMeters() (meters []power.Meter, refused string, err error) {
	fault := fmt.Errorf("engine %s has no meters", b.backend.Name)
	if b.backend.Meters != nil {
		meters, fault = b.backend.Meters()
	}
	refused, err = b.firstReason(fault)
	return meters, refused, err
}

// firstReason returns the error of the first rank that has one, with the rank; "" if there is none. It is collective.
func (b *benchmark) firstReason(fault error) (string, error) {
	reason := ""
	if fault != nil {
		reason = fmt.Sprintf("%v (rank %d)", fault, b.t.Rank())
	}
	reasons, err := comm.AllGatherTexts(b.t, reason)
	return cmp.Or(reasons...), err
}

// ownMeters returns the meters that no lower rank reads, because ranks may share a GPU or processors. It is collective.
func (b *benchmark) ownMeters(opened []power.Meter) (own []power.Meter, err error) {
	var identities []string
	for _, m := range opened {
		identities = append(identities, m.Identity())
	}
	all, err := comm.Gathered(b.t, identities)
	if err != nil {
		return nil, err
	}
	taken := slices.Concat(all[:b.t.Rank()]...)
	return slices.DeleteFunc(slices.Clone(opened), func(m power.Meter) bool {
		return slices.Contains(taken, m.Identity())
	}), nil
}

// closeMeters closes meters. Errors are ignored because the figures are complete.
func closeMeters(meters []power.Meter) {
	for _, m := range meters {
		_ = m.Close()
	}
}

// sampled is a meter with the sampler that reads it.
type sampled struct {
	power.Meter
	*power.Sampler
}

func startSamplers(meters []power.Meter) (all []sampled) {
	clock := stopwatch()
	for _, m := range meters {
		all = append(all, sampled{m, power.Start(m, powerPeriod, clock)})
	}
	return all
}

// stopSamplers returns the values of this rank's meters, and the first reason why one of them has no figure.
func stopSamplers(samplers []sampled, rank int) (meters []record.Meter, fault error) {
	for _, s := range samplers {
		measured, err := s.Stop()
		var d power.Draw
		if err == nil {
			d, err = measured.Draw()
		}
		if err != nil && fault == nil {
			fault = fmt.Errorf("%s: %w", s.Source(), err)
		}
		meters = append(meters, record.Meter{
			Rank: rank, Source: s.Source(), Covers: s.Covers(),
			Watts: d.Watts, Seconds: d.Window.Seconds(), Reads: d.Reads, Updates: d.Updates, RelativeError: d.Doubt,
		})
	}
	return meters, fault
}
