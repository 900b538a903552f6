// SPDX-License-Identifier: Apache-2.0

package compare

import "fmt"

// Verdict compares B with A. It follows from the interval.
type Verdict string

// The verdicts. Comparison.Rule explains them.
const (
	Faster    Verdict = "faster"
	Slower    Verdict = "slower"
	Same      Verdict = "same"
	Ambiguous Verdict = "ambiguous"
)

// Rule explains the verdicts in a sentence.
func (c *Comparison) Rule() string {
	return fmt.Sprintf("B is the same if the whole interval is within %g%% of A; otherwise faster or slower if it "+
		"excludes 0%%, and ambiguous if it does not.", c.Same)
}

func (c *Comparison) verdict(low, high float64) Verdict {
	switch {
	case low >= -c.Same && high <= c.Same:
		return Same
	case low > 0:
		return Faster
	case high < 0:
		return Slower
	}
	return Ambiguous
}
