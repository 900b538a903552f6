package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/bfs"
	"g500/record"
)

// smallRun is the beginning of the command line of a run that takes no time.
var smallRun = []string{"run", "--scale", "5", "--keys", "2", "--engine", "topdown"}

// A run's policy is that of the file with the flag's numbers over it. run.json has it, and a report tells which engine
// does not use it.
func TestPolicyIsRecorded(t *testing.T) {
	file := configFile(t, "[policy]\nbeta = 7\nalpha = 9\n")
	status, printed, errOut := call("run", "--config", file, "--policy", "alpha=30, round_pairs=64",
		"--policy", "pull_hubs=0", "--print-config")
	if status != success {
		t.Fatal(errOut)
	}
	dir := filepath.Join(t.TempDir(), "out")
	status, out, errOut := call(append(slices.Clone(smallRun), "--config", configFile(t, printed), "--output", dir)...)
	if status != success {
		t.Fatal(errOut)
	}
	run, err := record.Read(dir)
	want := bfs.DefaultPolicy()
	want.Beta, want.Alpha, want.RoundPairs, want.PullHubs = 7, 30, 64, 0
	if err != nil || run.Config.Policy != want {
		t.Errorf("the policy is %+v (%v), want %+v", run.Config.Policy, err, want)
	}
	const note = "the policy is of engine gpu: engine topdown does not use it"
	if !slices.Contains(run.Notes, note) || !strings.Contains(out, note) {
		t.Errorf("no %q among the notes %q", note, run.Notes)
	}
}

// configFile writes a configuration and returns its path.
func configFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPolicyMisuse(t *testing.T) {
	for _, c := range []struct{ policy, want string }{
		{"gamma=1", `a policy has no "gamma"; it has alpha, alpha_shared, alpha_messages, beta, few_edges, `},
		{"alpha", "a key and a whole number are needed, as in alpha=30"},
		{"alpha=2.5", "a key and a whole number are needed"},
		{"alpha=2,beta", "a key and a whole number are needed"},
		{"", "a key and a whole number are needed"},
		{"listing_share=0", "policy.listing_share = 0: it must be from 1 to 1048576"},
		{"few_edges=-1", "policy.few_edges = -1: it must be from 0 to 1099511627776"},
	} {
		status, out, errOut := call(append(slices.Clone(smallRun), "--policy", c.policy)...)
		if status != misuse || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != 1 || out != "" {
			t.Errorf("--policy %q: status %d, output %q, error %q; want %q", c.policy, status, out, errOut, c.want)
		}
	}
}

// A run that is resumed keeps its policy.
func TestResumeWithAnotherPolicyIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	file := configFile(t, "[policy]\nalpha = 30\n")
	status, _, errOut := call(append(slices.Clone(smallRun), "--output", dir, "--config", file)...)
	if status != success {
		t.Fatal(errOut)
	}
	markIncomplete(t, dir)
	status, _, errOut = call("run", "--resume", dir, "--policy", "alpha=31")
	if want := "policy.alpha was 30 and is 31"; status != misuse || !strings.Contains(errOut, want) {
		t.Errorf("status %d, error %q; want %q", status, errOut, want)
	}
	if status, _, errOut := call("run", "--resume", dir); status != success {
		t.Errorf("resumed with its own policy: status %d, %s", status, errOut)
	}
}

// markIncomplete takes its last search from a run that has ended, as if it had been cut off before.
func markIncomplete(t *testing.T, dir string) {
	t.Helper()
	run, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	k := &run.Kernels[0]
	k.Searches = k.Searches[:len(k.Searches)-1]
	var text bytes.Buffer
	if err := run.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile(filepath.Join(dir, "searches.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := bytes.Cut(lines, []byte("\n"))
	for name, text := range map[string][]byte{"run.json": text.Bytes(), "searches.jsonl": append(first, '\n')} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCompletionOffersThePolicysKeys(t *testing.T) {
	offered := completions(t, "run", "--policy", "")
	if len(offered) != len(bfs.PolicyKeys()) || !slices.Contains(offered, "alpha_shared=") {
		t.Errorf("%q", offered)
	}
}
