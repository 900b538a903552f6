// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"testing"

	"g500/internal/expect"
	"g500/record"
)

// Rates are noisy if a run's standard error is above 10%, or an interval of efficiency is wider than ±20%.
func TestNoise(t *testing.T) {
	run := func(ranks int, rates ...float64) *Run {
		r := at(Kind{}, 20, ranks, 1)
		r.Searches = nil
		for key, rate := range rates {
			r.Searches = append(r.Searches, record.Search{Key: key, Root: int64(key), Edges: 1e9, Seconds: 1 / rate})
		}
		r.Keys = len(rates)
		r.Run.Kernels[0] = r.KernelRun
		return r
	}
	const errors, wide = "standard error of 1 of 1 rate is above 10.0%, up to 11.5%", "wider than ±20.0% at 1 of 1 point"
	for _, c := range []struct {
		runs  []*Run
		wants []string // none: not noisy
	}{
		{[]*Run{run(1, 1, 0.87)}, nil},
		{[]*Run{run(1, 1, 0.85)}, []string{errors}},
		{[]*Run{run(1, 1, 1.01, 1.02), run(2, 2, 2.01, 2.02)}, nil},
		{[]*Run{run(1, 1, 1.01, 1.02), run(2, 2.4, 2, 2)}, []string{wide}},
		{[]*Run{run(1, 1), run(2, 2)}, []string{wide}},
		{[]*Run{run(1, 1), run(1, 1.5), run(2, 2), run(2, 3)}, []string{wide}}, // between runs
	} {
		got := NewSet(c.runs).Noise()
		if (got == "") != (c.wants == nil) {
			t.Errorf("%v: %q", c.wants, got)
		}
		expect.Contains(t, got, c.wants...)
	}
}
