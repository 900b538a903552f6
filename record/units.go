// SPDX-License-Identifier: Apache-2.0

package record

import (
	"math"
	"strconv"
	"strings"
)

// prefixes are the SI prefixes from 10^-9 on, in ASCII, one per power of 1000.
var prefixes = [...]string{"n", "u", "m", "", "k", "M", "G", "T", "P", "E"}

// noPrefix is the index of the bare unit in prefixes.
const noPrefix = 3

// FormatSeconds gives a time to three digits, from ns to s: 14.7 ms.
func FormatSeconds(x float64) string { return inUnit(x, "s", 0, noPrefix) }

// FormatTEPS gives a rate to three digits, from TEPS to ETEPS: 1.14 GTEPS.
func FormatTEPS(x float64) string { return inUnit(x, "TEPS", noPrefix, len(prefixes)-1) }

// FormatRate gives a rate like FormatTEPS, without the unit: 1.14 G.
func FormatRate(x float64) string { return inUnit(x, "", noPrefix, len(prefixes)-1) }

// FormatBytes gives an amount of data to three digits, from B to EB: 135 MB.
func FormatBytes(x float64) string { return inUnit(x, "B", noPrefix, len(prefixes)-1) }

// inUnit rounds before it chooses the prefix from prefixes[low..high], so that 999.9 M becomes 1.00 G, not 1000 M.
func inUnit(x float64, unit string, low, high int) string {
	rounded := strconv.FormatFloat(x, 'e', 2, 64)
	exponent, _ := strconv.Atoi(rounded[strings.IndexByte(rounded, 'e')+1:])
	place := min(max(int(math.Floor(float64(exponent)/3))+noPrefix, low), high)
	power := 3 * (place - noPrefix)
	decimals := max(0, 2-(exponent-power))
	return strconv.FormatFloat(x*math.Pow10(-power), 'f', decimals, 64) + " " + prefixes[place] + unit
}
