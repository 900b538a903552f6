package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"g500/analysis/compare"
	"g500/results"
)

// kept is a valid run on a CPU.
const kept = "../../analysis/submission/testdata/kept"

func TestCompareFailsForALossOnly(t *testing.T) {
	const set = "h200/2026-11-23-segments"
	dir := filepath.Join(results.Unpack(t, "../../results", set), set)
	stored, slow := filepath.Join(dir, "scale26-bits64-first"), filepath.Join(dir, "scale26-bits64-without-first")
	for _, c := range []struct {
		args []string
		want int
		says string
	}{
		{[]string{stored, stored, "--fail-below", "0"}, success, "  same\n"},
		{[]string{stored, slow}, success, "  slower\n"},
		{[]string{stored, slow, "--fail-below", "20"}, success, "  slower\n"}, // by 4.3% to 17.4%
		{[]string{stored, slow, "--fail-below", "1"}, failure, "slower by at least 4.3%, and --fail-below allows 1%"},
		{[]string{slow, stored, "--fail-below", "0"}, success, "  faster\n"},
		{[]string{dir, stored, "--fail-below", "50"}, failure, "run it for B too"},
		{[]string{stored, kept}, failure, "there is nothing to compare"},
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
