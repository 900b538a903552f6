package plot

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// prefixes of the SI, one per power of a thousand, from 10^-9 on.
var prefixes = [...]string{"n", "u", "m", "", "k", "M", "G", "T", "P", "E"}

// short formats a number with an SI prefix and a unit: 1.5 T, 20 us.
func short(x float64, unit string) string {
	if x == 0 {
		return "0"
	}
	thousands := int(math.Floor(math.Log10(math.Abs(x))/3 + 1e-9))
	thousands = min(max(thousands, -3), len(prefixes)-4)
	digits := strconv.FormatFloat(x/math.Pow(1000, float64(thousands)), 'g', 4, 64)
	return strings.TrimSpace(digits + " " + prefixes[thousands+3] + unit)
}

// logarithmic makes an axis logarithmic, from tick to tick. The data must be above 0. The labelled digits depend on the
// range.
func logarithmic(a *plot.Axis, labelled func(low, high float64) []float64) {
	digits := labelled(a.Min, a.Max)
	a.Scale = plot.LogScale{}
	a.Min, a.Max = roundDown(a.Min, digits), roundUp(a.Max, digits)
	if a.Min == a.Max {
		a.Max = roundUp(1.01*a.Max, digits)
	}
	a.Tick.Marker = plot.ConstantTicks(logTicks(a.Min, a.Max, digits))
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
func logTicks(low, high float64, digits []float64) []plot.Tick {
	everyThird := math.Log10(high/low) > 12
	const hair = 1 + 1e-9
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high)*hair; e++ {
		for digit := 1.0; digit < 10; digit++ {
			value := digit * math.Pow(10, e)
			if value < low/hair || value > high*hair {
				continue
			}
			tick := plot.Tick{Value: value}
			if slices.Contains(digits, digit) && (!everyThird || math.Mod(e, 3) == 0) {
				tick.Label = short(value, "")
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// Lengths of an axis relative to its data.
const (
	headroom    = 1.06
	withNumbers = 1.22 // with space for a number after each bar
)

// fromZero makes an axis linear from 0 to a tick above the data.
func fromZero(a *plot.Axis, unit string, factor float64) {
	step := roundUp(a.Max/5, []float64{1, 2, 5})
	a.Min, a.Max = 0, step*math.Ceil(factor*a.Max/step)
	var ticks plot.ConstantTicks
	for i := 0.0; i*step <= a.Max; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: short(i*step, unit)})
	}
	a.Tick.Marker = ticks
}

// mostCounts is the maximum number of labels of a horizontal axis.
const mostCounts = 9

// counts labels the numbers, at regular intervals if they are more than mostCounts.
func counts(a *plot.Axis, numbers []int) {
	numbers = slices.Compact(slices.Sorted(slices.Values(numbers)))
	every := (len(numbers) + mostCounts - 1) / mostCounts
	var ticks plot.ConstantTicks
	for i, n := range numbers {
		tick := plot.Tick{Value: float64(n)}
		if i%every == 0 {
			tick.Label = strconv.Itoa(n)
		}
		ticks = append(ticks, tick)
	}
	a.Tick.Marker = ticks
}
