package record

import (
	"strings"
	"testing"
)

// metered is the small run with its power measured by two meters.
func metered() *Run {
	r := small()
	r.Kernels[0].Power = &Power{
		Watts: 700.5, JoulesPerSearch: 0.42, TEPSPerWatt: 2.5e9, Searches: 12800, Seconds: 10.04, PeriodSeconds: 0.01,
		Meters: []Meter{
			{Source: "NVML", Covers: "the card of GPU 0", Watts: 600.5, Seconds: 9.9, Reads: 1003, Updates: 99,
				RelativeError: 0.001},
			{Source: "RAPL", Covers: "the processors of n0", Watts: 100, Seconds: 10, Reads: 1004, Updates: 1003,
				RelativeError: 0.002},
		},
	}
	return r
}

// Green Graph500 rules 1.1: the power of all meters, the energy of one of all searches, and edges per energy.
func TestPowerByHand(t *testing.T) {
	p := Power{Meters: []Meter{{Watts: 100}, {Watts: 50}}, Searches: 6, Seconds: 3}
	p.Derive([]Search{{Edges: 10}, {Edges: 30}}) // in three rounds
	if p.Watts != 150 || p.JoulesPerSearch != 75 || p.TEPSPerWatt != 20.0/75 {
		t.Errorf("%g W, %g J, %g TEPS/W; want 150, 75 and 20/75", p.Watts, p.JoulesPerSearch, p.TEPSPerWatt)
	}
}

// The summary has the figures with n, the readings of the meters, and the consumers that the figures exclude.
func TestPowerInTheSummary(t *testing.T) {
	want := []string{
		"power         700 W, 420 mJ a search, 2.50 GTEPS/W, n = 12800 searches back to back in 10.0 s, after the timed ones",
		"power         2 meters, each read every 10.0 ms, at least 1003 times, with at least 99 new figures: an error up " +
			"to 0.2%, plus the meter's own",
		"power         covers the card of GPU 0, the processors of n0, without the rest of the system, which the Green " +
			"Graph500 counts",
	}
	if got := written(t, (*Run).WriteSummary, metered()); !strings.Contains(got, strings.Join(want, "\n")+"\n") {
		t.Errorf("got\n%s\nwant in it\n%s", got, strings.Join(want, "\n"))
	}
}

func TestPowerThatIsRefused(t *testing.T) {
	r := metered()
	r.Kernels[0].Power.Refused = "the meter changed 3 times in 10 readings"
	got := written(t, (*Run).WriteSummary, r)
	if !strings.Contains(got, "power         no figure: "+r.Kernels[0].Power.Refused) || strings.Contains(got, "/W") {
		t.Errorf("got\n%s", got)
	}
}

// A run that is not valid has no rate, per watt or not.
func TestNoPowerOfARunThatIsNotValid(t *testing.T) {
	for _, spoil := range []*Run{broken(), cutOff(), rankLost(), unvalidated()} {
		spoil.Kernels[0].Power = metered().Kernels[0].Power
		for form, write := range writers {
			var b strings.Builder
			_ = write(spoil, &b) // the blocks refuse some runs (TestRefusal)
			if strings.Contains(b.String(), "2500000000") || strings.Contains(b.String(), "/W") {
				t.Errorf("%s of a run that is %q:\n%s", form, spoil.Verdict(), b.String())
			}
		}
	}
	if !strings.Contains(written(t, (*Run).WriteJSON, metered()), `"teps_per_watt": 2500000000,`) {
		t.Error("the JSON of a valid run has no power")
	}
}

// The summary has the bits of a parent, and the requirement for a submission if these are too few.
func TestBitsOfAParentInTheSummary(t *testing.T) {
	for bits, want := range map[int]string{64: "64-bit parents\n", 32: "32-bit parents\n", 0: ""} {
		got := written(t, (*Run).WriteSummary, edited(func(r *Run) { r.ResultBits = bits }))
		if !strings.Contains(got, want) || strings.Contains(got, "-bit parents") != (bits > 0) ||
			strings.Contains(got, "a submission needs at least 48 bits") != (bits == 32) {
			t.Errorf("%d bits: want %q:\n%s", bits, want, got)
		}
	}
}
