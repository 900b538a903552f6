// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"g500/internal/expect"
)

// bash runs a script in the root of the repository, as CI does, and returns its output.
func bash(t *testing.T, script string, environment ...string) (printed string, err error) {
	t.Helper()
	shell := exec.Command("bash", "-euo", "pipefail", "-c", script)
	shell.Dir = "../.."
	shell.Env = append(append(os.Environ(), "CI=true", "STEPS=", "ALLOWED_SKIPS=may be skipped"), environment...)
	text, err := shell.CombinedOutput()
	return string(text), err
}

// Lanes run side by side. At the end each failed step is named, with the first lines that name a fault and the last
// lines of the innermost failed step; a lane that ends early is a failure.
func TestLanes(t *testing.T) {
	printed, err := bash(t, `
		. scripts/steps.sh
		nested() { CI=true bash -euc '. scripts/steps.sh
			step inner sh -c "echo a_test.go:7: wrong; seq 100 140; exit 3"; finish'; }
		one() { echo one >"$STEPS/one"; until [ -e "$STEPS/two" ]; do sleep 0.01; done; step "outer" nested; }
		two() { echo two >"$STEPS/two"; until [ -e "$STEPS/one" ]; do sleep 0.01; done
			step good true; step "may be skipped" sh -c "exit 77"; step "must run" sh -c "exit 77"; }
		early() { step first true; exit 1; }
		in_lane 0 one one; in_lane 5 two two; in_lane 0 early early
		join_lanes
		finish`)
	end := printed[max(strings.Index(printed, "FAILED: inner"), 0):]
	for _, want := range []string{"  | 1:a_test.go:7: wrong\n  | ...\n  | 129\n", "FAILED: outer\n", "FAILED: must run\n",
		"SKIPPED: may be skipped\n", "FAILED: the lane early, which ended early\n", "\n1 passed, 3 failed, 1 SKIPPED"} {
		expect.Contains(t, end, want)
	}
	expect.That(t, err != nil && strings.Contains(printed, "two: === output of good\ntwo: --- passed: good ("),
		"%v, no output of a step in\n%s", err, printed)
}

// gotest.sh has the status of go test, and lists skipped tests with their reasons.
func TestSkippedTestsAreListed(t *testing.T) {
	dir := t.TempDir()
	test := "package a\n\nimport \"testing\"\n\nfunc TestBad(t *testing.T) { t.Error(\"wrong\") }\n" +
		"func TestGap(t *testing.T) { t.Run(\"sub\", func(t *testing.T) { t.Skip(\"no second core\") }) }\n" +
		"func TestMute(t *testing.T) { t.SkipNow() }\n"
	expect.Write(t, filepath.Join(dir, "a_test.go"), test)
	skips := filepath.Join(dir, "skips")
	printed, err := bash(t, `scripts/gotest.sh -vet=off $FOLDER/a_test.go`, "FOLDER="+dir, "STEPS_SKIPS="+skips)
	expect.SkipIf(t, strings.Contains(printed, "gotestsum cannot be built"), "this needs the network")
	text, _ := os.ReadFile(skips)
	want := "Go test command-line-arguments TestGap/sub: no second core\n" +
		"Go test command-line-arguments TestMute: no reason given\n"
	expect.That(t, err != nil && string(text) == want, "%v, skipped %q, want %q, printed\n%s", err, text, want, printed)
}

// Killed, a script leaves no process, not even one in a session of its own.
func TestNothingOutlivesAScript(t *testing.T) {
	if _, err := bash(t, "unshare --pid --fork --mount-proc true"); err != nil {
		t.Skip("this machine forbids namespaces of processes")
	}
	for _, signal := range []string{"TERM", "KILL"} {
		printed, err := bash(t, `
			left() { grep -lz "^G500_TEST_APART=$SIGNAL$$$" /proc/[0-9]*/environ 2>/dev/null | wc -l; }
			becomes() { for _ in $(seq 400); do [ "$(left)" -ne "$1" ] || return 0; sleep 0.05; done; ps -e; false; }
			export G500_TEST_APART=$SIGNAL$$
			bash -c '. scripts/apart.sh; apart bash -c "setsid sleep 300 & sleep 300; :"' >/dev/null 2>&1 &
			export -n G500_TEST_APART
			becomes 5
			kill "-$SIGNAL" $!
			becomes 0`, "SIGNAL="+signal)
		expect.NoError(t, err, "SIG", signal, printed)
	}
}
