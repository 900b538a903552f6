// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"fmt"
	"slices"
	"strings"
)

// noisy is the standard error of a rate, as a share of it, above which the rate is doubtful. An interval of 95% extends
// about two standard errors to each side.
const noisy = 0.1

// Noise describes standard errors of runs above 10% and intervals of efficiency beyond ±20%, with the cure; "" if
// there are none. It leaves out the runs that a newer version of the program has repeated.
func (s *Set) Noise() string {
	var errors []float64
	rates, sizes, wide := 0, 0, 0
	for _, p := range s.Points {
		for _, r := range p.Runs {
			rates++
			if e := r.TEPS.HarmonicStddev / r.TEPS.HarmonicMean; e > noisy {
				errors = append(errors, e)
			}
		}
	}
	for _, series := range s.Series {
		for _, p := range series.Points {
			if e := p.Efficiency; e.Method != "" { // the baseline has none
				sizes++
				if e.Low == nil || *e.High-*e.Low > 4*noisy*e.Value {
					wide++
				}
			}
		}
	}
	var found []string
	if len(errors) > 0 {
		found = append(found, fmt.Sprintf("the standard error of %d of %s is above %s, up to %s", len(errors),
			Count(rates, "rate"), Percent(noisy), Percent(slices.Max(errors))))
	}
	if wide > 0 {
		found = append(found, fmt.Sprintf("the 95%% interval of efficiency is wider than ±%s at %d of %s",
			Percent(2*noisy), wide, Count(sizes, "point")))
	}
	if len(found) == 0 {
		return ""
	}
	return "The rates are noisy: " + strings.Join(found, "; ") +
		". Either the machine had other load, or there are too few runs or searches: repeat them on an idle machine."
}
