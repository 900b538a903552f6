package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A run that meets the rules is packed. For another run the unmet rules are printed, and nothing is written.
func TestSubmission(t *testing.T) {
	for _, c := range []struct {
		meaning string
		run     []string
		status  int
		want    string
	}{
		{"by the rules", []string{"--scale", "10"}, success, "The submission is in "},
		{"on three ranks", []string{"--scale", "10", "--ranks", "3"}, success, "The submission is in "},
		{"too few keys", []string{"--scale", "10", "--keys", "8"}, failure,
			"NOT MET  64 search keys, all different (Sampling 64 Search Keys)\n           the run has 8 search keys\n"},
		{"not validated", []string{"--scale", "10", "--validate=false"}, failure,
			"NOT MET  every result validated and right (Validation)\n"},
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

// Shortest paths are packed, on a pruned structure only with the same run on an unpruned one.
func TestSubmissionOfShortestPaths(t *testing.T) {
	dirs := map[string]string{}
	for name, args := range map[string][]string{
		"whole": {"--kernel", "sssp"}, "both": {"--kernel", "both"}, "pruned": {"--kernel", "sssp", "--prune", "hub"},
		"smaller": {"--kernel", "sssp", "--scale", "9"},
	} {
		dirs[name] = filepath.Join(t.TempDir(), "out")
		args = append([]string{"run", "--engine", "cpu", "--scale", "10", "--output", dirs[name]}, args...)
		if status, _, errOut := call(args...); status != success {
			t.Fatalf("%q: status %d, %s", args, status, errOut)
		}
	}
	for _, c := range []struct {
		run, unpruned string
		status        int
		want          string
	}{
		{"whole", "", success, "this is a submission of SSSP alone"},
		{"both", "", success, "this is a submission of BFS and SSSP"},
		{"pruned", "", failure, "by --unpruned DIR"},
		{"pruned", "smaller", failure, "its scale is 9, and this run's is 10"},
		{"pruned", "pruned", failure, "has no shortest paths on an unpruned structure"},
		{"pruned", "both", success, "without: "},
	} {
		args := []string{"submission", dirs[c.run]}
		if c.unpruned != "" {
			args = append(args, "--unpruned", dirs[c.unpruned])
		}
		status, out, errOut := call(args...)
		if status != c.status || !strings.Contains(out, c.want) {
			t.Errorf("%q: status %d, want %q\n%s%s", args, status, c.want, out, errOut)
		}
	}
	for file, want := range map[string]string{
		"system.txt": "unpruned SSSP GTEPS:", "unpruned-output.txt": "sssp_harmonic_mean_TEPS:", "sssp.csv": ",hub\n",
		"output.txt": "sssp_prune:                     hub", "README": "unpruned-sssp.csv",
	} {
		if text := read(t, filepath.Join(dirs["pruned"], "submission", file)); !strings.Contains(text, want) {
			t.Errorf("%s does not have %q:\n%s", file, want, text)
		}
	}
}
