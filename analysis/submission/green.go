// SPDX-License-Identifier: Apache-2.0

package submission

import (
	"fmt"
	"strings"

	"g500/record"
)

// green describes an entry of the Green Graph500 in addition to the result. The list counts the entire system, and the
// program's meters only parts of it.
func (r Run) green(line func(name, format string, args ...any)) {
	measured, idle := toFill, toFill+" (yes or no)"
	if p := r.measured(); p != nil {
		measured = fmt.Sprintf("%s, by this program's meters; %s for the power above", covered(p), toFill)
		idle = "yes for these components: no idle power is subtracted; " + toFill + " for the power above"
	}
	line("power", "%s (of the entire system, idle parts included), or leave out", toFill)
	line("component measured", "%s", measured)
	line("idle included", "%s", idle)
	line("frequency scaling", "%s", r.frequencyScaling())
}

// measured returns the power of the first kernel that has figures, nil if none has.
func (r Run) measured() *record.Power {
	for _, k := range r.Kernels {
		if p := k.Power; p != nil && p.Refused == "" {
			return p
		}
	}
	return nil
}

// frequencyScaling names the governors of the processors' clocks. The clocks of accelerators are unknown.
func (r Run) frequencyScaling() string {
	var all []string
	kinds := r.machines()
	for _, kind := range kinds {
		text := known(kind.Scaling)
		if len(kinds) > 1 {
			text += " on " + strings.Join(kind.Nodes, ", ")
		}
		all = append(all, text)
	}
	text := "processors " + strings.Join(all, ", ")
	if r.Environment.Device != nil {
		text += "; accelerators " + toFill
	}
	return text
}
