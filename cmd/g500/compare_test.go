package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"g500/analysis/compare"
)

const (
	stored  = "../../results/h200x4/2026-11-22/gpus1-scale26"
	another = "../../results/epyc-2core/2026-11-20/scale24"
)

func TestCompareFailsForALossOnly(t *testing.T) {
	older, newer := "../../results/h200x2/2026-11-22/gpus1-scale24", "../../results/h200x4/2026-11-22/gpus1-scale24"
	for _, c := range []struct {
		args []string
		want int
		says string
	}{
		{[]string{stored, stored, "--fail-below", "0"}, success, "  same\n"},
		{[]string{older, newer}, success, "  slower\n"},
		{[]string{older, newer, "--fail-below", "5"}, success, "  slower\n"}, // by 1.5% to 3.7%
		{[]string{older, newer, "--fail-below", "1"}, failure, "slower by at least 1.5%, and --fail-below allows 1%"},
		{[]string{newer, older, "--fail-below", "0"}, success, "  faster\n"},
		{[]string{"../../results/h200x4", stored, "--fail-below", "50"}, failure, "run it for B too"},
		{[]string{stored, another}, failure, "there is nothing to compare"},
	} {
		status, out, errOut := call(append([]string{"compare"}, c.args...)...)
		if status != c.want || !strings.Contains(out+errOut, c.says) {
			t.Errorf("%v: status %d, no %q in\n%s%s", c.args, status, c.says, out, errOut)
		}
	}
}

// Two runs of this program at one scale are compared key by key.
func TestCompareOwnRuns(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		mustCall(t, "run", "--scale", "8", "--engine", "cpu", "--output", filepath.Join(dir, name))
	}
	status, out, errOut := call("compare", filepath.Join(dir, "a"), filepath.Join(dir, "b"), "--json")
	var c compare.Comparison
	if err := json.Unmarshal([]byte(out), &c); status != success || err != nil {
		t.Fatalf("status %d, %v\n%s", status, err, errOut)
	}
	p := c.Points[0]
	if len(c.Points) != 1 || p.Scale != 8 || p.Method != compare.ByKeys || p.A.Searches != 64 || p.Low == nil ||
		*p.Low > p.Percent || *p.High < p.Percent {
		t.Errorf("%+v", c)
	}
}
