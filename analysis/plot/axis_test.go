package plot

import (
	"math"
	"strings"
	"testing"
)

func TestShort(t *testing.T) {
	for x, want := range map[float64]string{
		1: "1", 999: "999", 1000: "1 k", 2.5e12: "2.5 T", 1e9: "1 G", 0.0002: "200 u", 5e-10: "0.5 n", 1e21: "1000 E",
	} {
		if got := short(x); got != want {
			t.Errorf("%g is %q, want %q", x, got, want)
		}
	}
}

// labels returns the labels of an axis in ascending order.
func labels(a axis) string {
	var all []string
	for _, tick := range a.ticks {
		if tick.label != "" {
			all = append(all, tick.label)
		}
	}
	return strings.Join(all, ", ")
}

// A logarithmic axis ends at labelled ticks, and has a moderate number of labels.
func TestLogarithmicAxis(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{2.4e12, 6.8e12, "2 T, 3 T, 4 T, 5 T, 6 T, 7 T"},
		{1.9e8, 1.4e9, "100 M, 200 M, 300 M, 400 M, 600 M, 800 M, 1 G, 2 G"},
		{3e9, 1.5e10, "3 G, 4 G, 6 G, 8 G, 10 G, 20 G"},
		{2e9, 1.5e11, "2 G, 5 G, 10 G, 20 G, 50 G, 100 G, 200 G"},
		{3.4e9, 1.5e12, "2 G, 5 G, 10 G, 20 G, 50 G, 100 G, 200 G, 500 G, 1 T, 2 T"},
		{1, 1e5, "1, 10, 100, 1 k, 10 k, 100 k"},
		{7, 7, "7, 8"},
	} {
		a := newAxis("")
		a.min, a.max = c.low, c.high
		logarithmic(&a, dense)
		if got := labels(a); got != c.want || a.min > c.low || a.max < c.high {
			t.Errorf("%g to %g: %g to %g, %s, want %s", c.low, c.high, a.min, a.max, got, c.want)
		}
	}
}

// No two labels of a vertical logarithmic axis overlap: a label has 11 points.
func TestLogarithmicLabelsDoNotOverlap(t *testing.T) {
	for low := 1.0; low < 10; low *= 1.07 {
		for high := low; high < 1e14; high *= 1.13 {
			a := newAxis("")
			a.min, a.max = low, high
			logarithmic(&a, dense)
			last := math.Inf(-1)
			for _, tick := range a.ticks {
				at := axesHeight * math.Log(tick.value/a.min) / math.Log(a.max/a.min)
				if tick.label == "" {
					continue
				}
				if at-last < 11 {
					t.Fatalf("%g to %g: %q is %.1f points above the label below", low, high, tick.label, at-last)
				}
				last = at
			}
		}
	}
}

func TestCounts(t *testing.T) {
	a := newAxis("")
	a.min, a.max = 1, math.Inf(1)
	if counts(&a, []int{4, 1, 2, 4}); labels(a) != "1, 2, 4" {
		t.Errorf("few: %s", labels(a))
	}
	var many []int
	for n := range 20 {
		many = append(many, n+1)
	}
	if counts(&a, many); labels(a) != "1, 4, 7, 10, 13, 16, 19" {
		t.Errorf("many: %s", labels(a))
	}
}
