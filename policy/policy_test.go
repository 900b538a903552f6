// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"strings"
	"testing"
)

func TestDefaultPolicy(t *testing.T) {
	if p := Default(); p.Alpha != 24 || p.ReplicatedEdges != 1<<24 || p.WaitSeconds != 5 || p.String() != "default" {
		t.Errorf("the default is %+v", p)
	}
}

// Each key has its own number, whose range has the default, and no number outside.
func TestPolicyIsSetByName(t *testing.T) {
	for _, k := range table {
		p := Default()
		if name, _, _ := p.Fault(); name != "" {
			t.Errorf("the default of %s is out of range", name)
		}
		for _, value := range []int64{k.low - 1, k.high + 1} {
			if err := p.Set(k.name, value); err != nil || p.String() != fmt.Sprintf("%s=%d", k.name, value) {
				t.Errorf("%s = %d sets %s, %v", k.name, value, p, err)
			}
			want := fmt.Sprintf("from %d to %d", k.low, k.high)
			if name, text, limits := p.Fault(); name != k.name || text != fmt.Sprint(value) || limits != want {
				t.Errorf("%s = %d: %s = %s, %s", k.name, value, name, text, limits)
			}
		}
	}
	var p Policy
	err := p.Set("gamma", 1)
	const want = `a policy has no "gamma"; it has alpha, beta, `
	if err == nil || !strings.Contains(err.Error(), want) || p != (Policy{}) {
		t.Errorf("an unknown key gives %v, %+v", err, p)
	}
}
