package formats

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// values are the parameters of a spec by key, all of them, in texts that their readers have taken.
type values map[string]string

func (v values) whole(key string) int64 {
	n, _ := strconv.ParseInt(v[key], 10, 64)
	return n
}

func (v values) seed(key string) uint64 {
	n, _ := strconv.ParseUint(v[key], 10, 64)
	return n
}

func (v values) fraction(key string) float64 {
	x, _ := strconv.ParseFloat(v[key], 64)
	return x
}

func (v values) is(key string) bool { return v[key] == "true" }

// sides are the sides of a grid: the value of the one parameter that is written so.
func (v values) sides() []int64 {
	for _, key := range []string{"WxH", "WxHxD"} {
		if text, ok := v[key]; ok {
			sides, _ := parseSides(text)
			return sides
		}
	}
	return nil
}

func (v values) options() options {
	return options{directed: v.is("directed"), keepDuplicates: v["duplicates"] == "keep", keepLoops: v["loops"] == "keep",
		shuffle: v.is("shuffle"), weights: v["weights"], seed: v.seed("seed")}
}

// valueReader is a type of parameter.
type valueReader interface {
	Takes(text string) bool
	Range() string // ends the sentence "it must be"
}

// wholes are whole numbers from low to high.
type wholes struct{ low, high int64 }

func (w wholes) Takes(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && n >= w.low && n <= w.high
}

func (w wholes) Range() string { return fmt.Sprintf("a whole number from %d to %d", w.low, w.high) }

// seeds are all numbers of 64 bits.
type seeds struct{}

func (seeds) Takes(text string) bool {
	_, err := strconv.ParseUint(text, 10, 64)
	return err == nil
}

func (seeds) Range() string { return "a whole number from 0 to 2^64-1" }

// fractions are numbers from low to high.
type fractions struct{ low, high float64 }

func (f fractions) Takes(text string) bool {
	x, err := strconv.ParseFloat(text, 64)
	return err == nil && x >= f.low && x <= f.high
}

func (f fractions) Range() string {
	return fmt.Sprintf("a number from %s to %s", plain(f.low), plain(f.high))
}

func plain(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// flags are true and false.
type flags struct{}

func (flags) Takes(text string) bool { return text == "true" || text == "false" }
func (flags) Range() string          { return "true or false" }

// words are a choice.
type words []string

func (w words) Takes(text string) bool { return slices.Contains(w, text) }
func (w words) Range() string          { return strings.Join(w, " or ") }

// sideLengths are that many sides of a grid, as in 512x512.
type sideLengths int

func (s sideLengths) Takes(text string) bool {
	sides, err := parseSides(text)
	return err == nil && len(sides) == int(s)
}

func (s sideLengths) Range() string {
	return fmt.Sprintf("%d sides, as in %s, of at most 2^32-1 vertices together", s, strings.Repeat("x64", int(s))[1:])
}

// parseSides reads the sides of a grid that has no more than MaxVertices vertices.
func parseSides(text string) (sides []int64, err error) {
	room := int64(MaxVertices)
	for _, word := range strings.Split(text, "x") {
		side, err := strconv.ParseInt(word, 10, 64)
		if err != nil || side < 1 || side > room {
			return nil, fmt.Errorf("%q is no side", word)
		}
		room /= side
		sides = append(sides, side)
	}
	return sides, nil
}

// anyPath is the name of a file.
type anyPath struct{}

func (anyPath) Takes(text string) bool { return text != "" }
func (anyPath) Range() string          { return "the name of a file" }

// largest is the largest n from low to high for which ok holds, or low-1. ok must hold below whatever it holds for.
func largest(low, high int64, ok func(int64) bool) int64 {
	for low <= high {
		if middle := low + (high-low)/2; ok(middle) {
			low = middle + 1
		} else {
			high = middle - 1
		}
	}
	return low - 1
}

// smaller finds how large the parameter of that key may be. Sides become equal.
func smaller(key string) func(v values, fits func(values) bool) string {
	return func(v values, fits func(values) bool) string {
		with := func(text string) bool {
			changed := values{}
			for k, old := range v {
				changed[k] = old
			}
			changed[key] = text
			return fits(changed)
		}
		if axes := strings.Count(key, "x") + 1; axes > 1 {
			cube := func(n int64) string { return strings.Repeat(fmt.Sprintf("x%d", n), axes)[1:] }
			most := int64(math.Pow(MaxVertices, 1/float64(axes)))
			return cube(largest(2, most, func(n int64) bool { return with(cube(n)) }))
		}
		most := largest(2, v.whole(key), func(n int64) bool { return with(strconv.FormatInt(n, 10)) })
		return fmt.Sprintf("%s=%d", key, most)
	}
}
