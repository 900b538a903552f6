package collect

import (
	"math"
	"strconv"
)

// GTEPS formats a rate in TEPS as a number of GTEPS, to three digits: 5,520, 38.8, 0.366. All tables and cards of a
// report have this unit, so that rates can be compared at a glance.
func GTEPS(teps float64) string { return Digits(teps / 1e9) }

// Digits formats a number to three digits.
func Digits(x float64) string {
	if x == 0 {
		return "0"
	}
	decimals := max(0, 2-int(math.Floor(math.Log10(math.Abs(x)*(1+1e-12)))))
	digits := strconv.FormatFloat(x, 'f', decimals, 64)
	if x < 1000 {
		return digits
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func inGTEPS(teps float64) string { return GTEPS(teps) + " GTEPS" }
