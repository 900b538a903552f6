package policy

import (
	"errors"
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
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		for _, value := range []int64{k.low - 1, k.high + 1} {
			if err := p.Set(k.name, value); err != nil || p.String() != fmt.Sprintf("%s=%d", k.name, value) {
				t.Errorf("%s = %d sets %s, %v", k.name, value, p, err)
			}
			var out *RangeError
			if err := p.Check(); !errors.As(err, &out) || *out != (RangeError{k.name, value, k.low, k.high}) {
				t.Errorf("%s = %d: %v", k.name, value, err)
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
