package plot

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// prefixes of the SI, one per power of a thousand, from 10^-9 on.
var prefixes = [...]string{"n", "u", "m", "", "k", "M", "G", "T", "P", "E"}

// short formats a number other than 0 with an SI prefix: 1.5 T.
func short(x float64) string {
	thousands := int(math.Floor(math.Log10(math.Abs(x))/3 + 1e-9))
	thousands = min(max(thousands, -3), len(prefixes)-4)
	digits := strconv.FormatFloat(x/math.Pow(1000, float64(thousands)), 'g', 4, 64)
	return strings.TrimSpace(digits + " " + prefixes[thousands+3])
}

// logarithmic makes an axis logarithmic, from tick to tick. The data must be above 0. The labelled digits depend on the
// range.
func logarithmic(a *axis, labelled func(low, high float64) []float64) {
	digits := labelled(a.min, a.max)
	a.log = true
	a.min, a.max = roundDown(a.min, digits), roundUp(a.max, digits)
	if a.min == a.max {
		a.max = roundUp(1.01*a.max, digits)
	}
	a.ticks = logTicks(a.min, a.max, digits)
}

// dense returns the labelled digits of each decade of a vertical axis, fewer for more decades.
func dense(low, high float64) []float64 {
	switch decades := math.Log10(high / low); {
	case decades < 0.5:
		return []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	case decades < 0.9:
		return []float64{1, 2, 3, 4, 6, 8}
	case decades < 3:
		return []float64{1, 2, 5}
	}
	return []float64{1}
}

// sparse returns the labelled digits of a horizontal axis, whose labels need more space.
func sparse(low, high float64) []float64 {
	if high < 100*low {
		return []float64{1, 2, 5}
	}
	return []float64{1}
}

// roundDown returns the largest of the digits, times a power of ten, up to x.
func roundDown(x float64, digits []float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, digit := range slices.Backward(digits) {
		if digit*power <= x {
			return digit * power
		}
	}
	return power
}

// roundUp returns the smallest of the digits, times a power of ten, from x on.
func roundUp(x float64, digits []float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, digit := range digits {
		if digit*power >= x {
			return digit * power
		}
	}
	return 10 * power
}

// logTicks labels some digits of each decade, and marks the others.
func logTicks(low, high float64, digits []float64) []tick {
	everyThird := math.Log10(high/low) > 12
	const hair = 1 + 1e-9
	var ticks []tick
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high)*hair; e++ {
		for digit := 1.0; digit < 10; digit++ {
			value := digit * math.Pow(10, e)
			if value < low/hair || value > high*hair {
				continue
			}
			t := tick{value: value}
			if slices.Contains(digits, digit) && (!everyThird || math.Mod(e, 3) == 0) {
				t.label = short(value)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// mostCounts is the maximum number of labels of a horizontal axis.
const mostCounts = 9

// counts labels the numbers, at regular intervals if they are more than mostCounts.
func counts(a *axis, numbers []int) {
	numbers = slices.Compact(slices.Sorted(slices.Values(numbers)))
	every := (len(numbers) + mostCounts - 1) / mostCounts
	a.ticks = nil
	for i, n := range numbers {
		t := tick{value: float64(n)}
		if i%every == 0 {
			t.label = strconv.Itoa(n)
		}
		a.ticks = append(a.ticks, t)
	}
}
