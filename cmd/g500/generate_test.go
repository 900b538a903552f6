package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// Output to something other than a regular file is refused, and the folder stays as it was.
func TestGenerateRefusesWhatIsNoRegularFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.Mkdir(at("folder"), 0o755), syscall.Mkfifo(at("pipe"), 0o600), syscall.Mkfifo(at("busy.new"), 0o600),
		os.Symlink(at("pipe"), at("link")), os.Symlink(at("nowhere"), at("dangling")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	reader, writer, err := os.Pipe() // as --output /dev/stdout | cat
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = errors.Join(reader.Close(), writer.Close()) }()
	before := listing(t, dir)
	for name, want := range map[string]string{
		at("folder"): "folder is a directory: name a regular file for the edge list",
		at("pipe"):   "pipe is a pipe: name a regular file", at("link"): "link is a pipe: name a regular file",
		at("busy"): "busy.new is a pipe: name a regular file", at("dangling"): "cannot write the edge list",
		fmt.Sprintf("/dev/fd/%d", reader.Fd()): "is a pipe: name a regular file",
	} {
		status, out, errOut := call("generate", "--scale", "4", "--output", name)
		if status != misuse || !strings.Contains(errOut, want) || strings.Count(errOut, "\n") != 1 || out != "" {
			t.Errorf("%s: status %d\n%s%s", name, status, out, errOut)
		}
	}
	if after := listing(t, dir); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// listing returns the names in a folder with their types.
func listing(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, e := range entries {
		text.WriteString(e.Type().String() + " " + e.Name() + "\n")
	}
	return text.String()
}

func TestGenerateWritesWhereALinkLeads(t *testing.T) {
	dir := t.TempDir()
	link, target := filepath.Join(dir, "link"), filepath.Join(dir, "target")
	writeText(t, target, "old")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	mustCall(t, "generate", "--scale", "4", "--output", link)
	info, err := os.Lstat(target)
	if err != nil || info.Size() != 16<<4*12 {
		t.Errorf("the target: %v, %v", info, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("the link: %v, %v", info, err)
	}
}

// Shortest paths from an edge file equal the generator's, on any number of ranks. Missing and truncated weights are
// refused with one error.
func TestShortestPathsFromAFile(t *testing.T) {
	for _, format := range []string{"packed", "u64"} {
		edges := filepath.Join(t.TempDir(), "edges")
		official := []string{"--scale", "9", "--format", format}
		mustCall(t, append([]string{"generate", "--weights", "--output", edges}, official...)...)
		if info, err := os.Stat(edges + ".weights"); err != nil || info.Size() != 16<<9*4 {
			t.Fatalf("the weights: %v, %v", info, err)
		}
		run := func(more ...string) (int, string, string) {
			args := append([]string{"run", "--engine", "cpu", "--kernel", "both", "--quiet", "--edges", edges}, official...)
			return call(append(args, more...)...)
		}
		for _, ranks := range []string{"1", "3"} {
			if status, out, errOut := run("--ranks", ranks); status != success || !strings.HasSuffix(out, "VALID\n") {
				t.Errorf("%s, %s ranks: status %d\n%s%s", format, ranks, status, out, errOut)
			}
		}
		checkDistancesFromFile(t, edges, format)
		if err := os.Truncate(edges+".weights", 16<<9*4-3); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"it is truncated", "generate --weights"} {
			status, _, errOut := run("--ranks", "2")
			if status != failure || strings.Count(errOut, want) != 1 {
				t.Errorf("%s: status %d, want %q in\n%s", format, status, want, errOut)
			}
			_ = os.Remove(edges + ".weights")
		}
	}
}

// checkDistancesFromFile compares the distances of scale 9 from a file with the generator's, on one rank and on three:
// every rank reads the weights of its own tuples.
func checkDistancesFromFile(t *testing.T, edges, format string) {
	t.Helper()
	args := []string{"--engine", "cpu", "--kernel", "sssp", "--keys", "2", "--scale", "9"}
	want := readPaths(t, filepath.Join(storedRun(t, args...), "1.sssp.i64"))
	for _, ranks := range []string{"1", "3"} {
		dir := storedRun(t, append(args, "--edges", edges, "--format", format, "--ranks", ranks)...)
		if got := readPaths(t, filepath.Join(dir, "1.sssp.i64")); !slices.Equal(got.distances, want.distances) {
			t.Errorf("%s, %s ranks: distances differ from the generated graph", format, ranks)
		}
	}
}

// The weights are the ones of the Graph500 reference code (weights_sha256_f32le in kronecker/testdata).
func TestGeneratedWeightsAreTheOfficialOnes(t *testing.T) {
	const want = "7dbf375ec29d3a5cccab8052e9e1fe990adb9ef19566bb03254677eb36d14bf2"
	edges := filepath.Join(t.TempDir(), "edges")
	mustCall(t, "generate", "--weights", "--scale", "8", "--output", edges)
	text, err := os.ReadFile(edges + ".weights")
	if got := fmt.Sprintf("%x", sha256.Sum256(text)); err != nil || got != want {
		t.Errorf("%v, SHA-256 %s, want %s", err, got, want)
	}
}
