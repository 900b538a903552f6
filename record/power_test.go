package record

import (
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
