// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"math"
	"strconv"
	"strings"
)

// weigh counts a weight whose text was read as x, if single precision changes it. A text of up to seven digits is not
// changed: no shorter one is read as x, unless x is nearly 0.
func (t *tally) weigh(text string, x float64) {
	const exact, normal, most = 7, 0x1p-126, 0x1p-24
	small := math.Abs(x) < normal
	if !small && len(text) <= exact {
		return
	}
	digits, whole := digitsOf(text), strings.TrimLeft(text, "+-0")
	other := strings.Trim(whole, "0123456789") == "" && strconv.FormatFloat(math.Abs(x), 'f', 0, 64) != whole
	double, err := strconv.ParseFloat(text, 64)
	switch {
	case digits == 0 || err != nil:
	case x == 0:
		t.vanished++
	case small && math.Abs(double-x) > most*math.Abs(x), digits > exact && (double != x || other):
		t.rounded++
	}
}

// digitsOf returns the number of significant digits of a number.
func digitsOf(text string) int {
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	return len(strings.TrimLeft(strings.NewReplacer("-", "", "+", "", ".", "").Replace(mantissa), "0"))
}
