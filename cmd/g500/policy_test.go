package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/policy"
	"g500/record"
)

// smallRun begins the command line of a very short run.
var smallRun = []string{"run", "--scale", "5", "--keys", "2", "--engine", "topdown"}

// Numbers of --policy override the file's policy. run.json has the policy, and a note names an engine that does not use
// it.
func TestPolicyIsRecorded(t *testing.T) {
	file := write(t, "[policy]\nbeta = 7\nalpha = 9\n")
	status, printed, errOut := call("run", "--config", file, "--policy", "alpha=30, round_pairs=64",
		"--policy", "pull_hubs=0", "--print-config")
	if status != success {
		t.Fatal(errOut)
	}
	dir := filepath.Join(t.TempDir(), "out")
	out := mustCall(t, append(slices.Clone(smallRun), "--config", write(t, printed), "--output", dir)...)
	run, err := record.Read(dir)
	want := policy.Default()
	want.Beta, want.Alpha, want.RoundPairs, want.PullHubs = 7, 30, 64, 0
	if err != nil || run.Config.Policy != want {
		t.Errorf("the policy is %+v (%v), want %+v", run.Config.Policy, err, want)
	}
	const note = "--policy=alpha=30,beta=7,pull_hubs=0,round_pairs=64 is for engine gpu, and this run has engine " +
		"topdown, which ignores it"
	if !slices.Contains(run.Notes, note) || !strings.Contains(out, note) {
		t.Errorf("no %q among the notes %q", note, run.Notes)
	}
}

// A resumed run keeps its policy.
func TestResumeWithAnotherPolicyIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	file := write(t, "[policy]\nalpha = 30\n")
	mustCall(t, append(slices.Clone(smallRun), "--output", dir, "--config", file)...)
	copyCut(t, dir, dir, 1)
	status, _, errOut := call("run", "--resume", dir, "--policy", "alpha=31")
	if want := "policy was alpha=30 and is alpha=31"; status != misuse || !strings.Contains(errOut, want) {
		t.Errorf("status %d, error %q; want %q", status, errOut, want)
	}
	if status, _, errOut := call("run", "--resume", dir); status != success {
		t.Errorf("resumed with its own policy: status %d, %s", status, errOut)
	}
}
