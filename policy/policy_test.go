// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"testing"

	"g500/internal/expect"
)

// Each key has its own number, whose range has the default, and no number outside.
func TestPolicyIsSetByName(t *testing.T) {
	for _, k := range table {
		p := Default()
		name, _, _ := p.Fault()
		expect.Equal(t, name, "", "the default out of range")
		for _, value := range []int64{k.low - 1, k.high + 1} {
			expect.NoError(t, p.Set(k.name, value))
			expect.Equal(t, p.String(), fmt.Sprintf("%s=%d", k.name, value))
			name, text, limits := p.Fault()
			expect.Equal(t, []string{name, text, limits},
				[]string{k.name, fmt.Sprint(value), fmt.Sprintf("from %d to %d", k.low, k.high)})
		}
	}
	var p Policy
	expect.Error(t, p.Set("gamma", 1), `a policy has no "gamma"; it has alpha, beta, `)
	expect.Equal(t, p, Policy{})
}
