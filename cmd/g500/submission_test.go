package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A run that keeps the rules is packed; one that does not is told which, and nothing is written.
func TestSubmission(t *testing.T) {
	for _, c := range []struct {
		meaning string
		run     []string
		status  int
		want    string
	}{
		{"by the rules", []string{"--config", "../../configs/tiny.toml"}, success, "The submission is in "},
		{"on three ranks", []string{"--scale", "12", "--ranks", "3"}, success, "The submission is in "},
		{"too few keys", []string{"--scale", "10", "--keys", "8"}, failure,
			"NOT MET  64 search keys, all different (Sampling 64 Search Keys)\n           the run has 8 search keys\n"},
		{"not validated", []string{"--scale", "10", "--validate=false"}, failure,
			"NOT MET  every tree validated (Validation)\n"},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		call(append([]string{"run", "--output", dir}, c.run...)...)
		status, out, errOut := call("submission", dir)
		if status != c.status || !strings.Contains(out, c.want) {
			t.Errorf("%s: status %d\n%s%s", c.meaning, status, out, errOut)
		}
		_, err := os.Stat(filepath.Join(dir, "submission", "system.txt"))
		if written := err == nil; written != (c.status == success) {
			t.Errorf("%s: written is %v", c.meaning, written)
		}
	}
}

func TestSubmissionMisuse(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "name one folder"},
		{[]string{"a", "b"}, "name one folder"},
		{[]string{t.TempDir()}, "there is no run in "},
	} {
		status, out, errOut := call(append([]string{"submission"}, c.args...)...)
		if status != misuse || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, c.want) {
			t.Errorf("%q: status %d, output %q, error %q", c.args, status, out, errOut)
		}
	}
}
