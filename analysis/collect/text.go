// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"g500/record"
	"g500/settings"
)

// String describes the kind.
func (k Kind) String() string {
	study, threads := k.Study, ""
	if study == "." {
		study = ""
	}
	if k.Threads > 0 {
		threads = Count(k.Threads, "thread") + " per rank"
	}
	return joined(study, k.Machine, k.Engine, k.KernelName(), threads, k.Unusual())
}

// KernelName returns the name of the kernel with its pruning, "" for BFS.
func (k Kind) KernelName() string {
	switch {
	case k.Kernel == record.BFS:
		return ""
	case k.Prune == "":
		return k.Kernel.Abbreviation()
	}
	return fmt.Sprintf("%s pruned by a %s", k.Kernel.Abbreviation(), k.Prune)
}

// Settings describes the settings that affect speed and are not the defaults, with the width of results.
func (k Kind) Settings() string {
	bits := ""
	if k.Bits > 0 {
		bits = fmt.Sprintf("%d-bit results", k.Bits)
	}
	return joined(k.Variant, bits)
}

// Unusual describes the settings, and an edge factor that is not the official one.
func (k Kind) Unusual() string {
	factor := ""
	if k.Factor != settings.OfficialEdgeFactor && k.Factor > 0 { // a run that did not begin has none
		factor = fmt.Sprintf("edge factor %d", k.Factor)
	}
	return joined(k.Settings(), factor)
}

// Unit returns the unit of a series over runs of this kind: core, node, GPU or rank.
func (k Kind) Unit() string {
	switch {
	case k.Axis != "":
		return strings.TrimSuffix(k.Axis, "s")
	case k.Threads == 0:
		return "GPU"
	}
	return "rank"
}

// Units describes that number of ranks: GPUs, or ranks with their threads.
func (k Kind) Units(ranks int) string {
	if k.Threads == 0 {
		return Count(ranks, "GPU")
	}
	threads := Count(k.Threads, "thread")
	if ranks == 1 {
		return threads
	}
	return Count(ranks, "rank") + " of " + threads
}

// joined joins the parts that are not empty.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// Count formats a number and a noun.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Date writes a day as 26 Nov 2026, which no reader takes for another one; as it is if it is no date.
func Date(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return at.Format("2 Jan 2006")
}

// GTEPS formats a rate in TEPS as a number of GTEPS, to three digits: 5,520, 38.8, 0.366. All tables and cards of a
// report have this unit, so that rates can be compared at a glance.
func GTEPS(teps float64) string { return Digits(teps / 1e9) }

// Percent formats a share in percent to three digits.
func Percent(x float64) string { return Digits(100*x) + "%" }

// Digits formats a number to three digits; "" for NaN.
func Digits(x float64) string {
	switch {
	case x == 0:
		return "0"
	case math.IsNaN(x):
		return ""
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

// Capital returns a phrase with a capital letter.
func Capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
