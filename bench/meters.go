package bench

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"g500/comm"
	"g500/internal/power"
	"g500/record"
)

// powerPeriod is the time between two readings of a meter: GPUs have a new figure every 20 to 100 ms, processors every
// millisecond.
const powerPeriod = 10 * time.Millisecond

// openMeters opens this rank's meters. refused says, the same on all ranks, why one of them has none. It is collective.
func (b *benchmark) openMeters() (meters []power.Meter, refused string, err error) {
	var fault error
	if b.backend.Meters == nil {
		fault = fmt.Errorf("engine %s has no meters", b.backend.Name)
	} else {
		meters, fault = b.backend.Meters()
	}
	refused, err = b.firstReason(fault)
	return meters, refused, err
}

// firstReason returns on all ranks the first rank with an error, and the error; "" if there is none. It is collective.
func (b *benchmark) firstReason(fault error) (string, error) {
	reason := ""
	if fault != nil {
		reason = fmt.Sprintf("rank %d: %v", b.t.Rank(), fault)
	}
	reasons, err := comm.AllGatherTexts(b.t, reason)
	for _, reason := range reasons {
		if reason != "" {
			return reason, err
		}
	}
	return "", err
}

// ownMeters are those that no lower rank reads: ranks may share what they compute on. It is collective.
func (b *benchmark) ownMeters(opened []power.Meter) (own []power.Meter, err error) {
	var identities []string
	for _, m := range opened {
		identities = append(identities, m.Identity())
	}
	told, err := comm.AllGatherTexts(b.t, strings.Join(identities, "\n"))
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for _, identity := range strings.Split(strings.Join(told[:b.t.Rank()], "\n"), "\n") {
		taken[identity] = true
	}
	for _, m := range opened {
		if !taken[m.Identity()] {
			own = append(own, m)
		}
	}
	return own, nil
}

// closeMeters closes meters; that one cannot be closed spoils no figure.
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

// readings are the values of this rank's meters, and the reason why one of them supports no figure, nil if all do.
type readings struct {
	meters []record.Meter
	fault  error
}

func stopSamplers(samplers []sampled, rank int) (told readings) {
	for _, s := range samplers {
		measured, err := s.Stop()
		var d power.Draw
		if err == nil {
			d, err = measured.Draw()
		}
		if err != nil && told.fault == nil {
			told.fault = fmt.Errorf("%s: %w", s.Source(), err)
		}
		told.meters = append(told.meters, record.Meter{
			Rank: rank, Source: s.Source(), Covers: s.Covers(),
			Watts: d.Watts, Seconds: d.Window.Seconds(), Reads: d.Reads, Updates: d.Updates, RelativeError: d.Doubt,
		})
	}
	return told
}

// tellReadings returns the values of all ranks' meters, and the reason why there is no figure, "" if there is. It is
// collective.
func (b *benchmark) tellReadings(own readings) (all []record.Meter, refused string, err error) {
	if refused, err = b.firstReason(own.fault); err != nil {
		return nil, "", err
	}
	text, err := json.Marshal(own.meters)
	if err != nil {
		return nil, "", err
	}
	told, err := comm.AllGatherTexts(b.t, string(text))
	if err != nil {
		return nil, "", err
	}
	for rank, text := range told {
		var theirs []record.Meter
		if err := json.Unmarshal([]byte(text), &theirs); err != nil {
			return nil, "", fmt.Errorf("the meters of rank %d cannot be read: %w", rank, err)
		}
		all = append(all, theirs...)
	}
	return all, refused, nil
}
