package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"g500/cmd/cli"
	"g500/record"
)

// storedKind is a kind of run in an output folder.
type storedKind struct {
	kernel, prune                string
	validated, complete, resumed bool
}

func (k storedKind) String() string {
	return fmt.Sprintf("%s-prune-%s-validated-%v-complete-%v-resumed-%v",
		k.kernel, k.prune, k.validated, k.complete, k.resumed)
}

// valid reports whether a run of this kind is VALID.
func (k storedKind) valid() bool { return k.validated && k.complete }

// storedKinds makes one run of each kind, in folders below the returned one.
func storedKinds(t *testing.T) (below string, kinds []storedKind) {
	t.Helper()
	below = t.TempDir()
	in := func(k storedKind) string { return filepath.Join(below, k.String()) }
	for _, structure := range []storedKind{{kernel: "bfs", prune: "none"}, {kernel: "sssp", prune: "none"},
		{kernel: "sssp", prune: "hub"}, {kernel: "both", prune: "none"}, {kernel: "both", prune: "hub"}} {
		for _, validated := range []bool{true, false} {
			k := structure
			k.validated, k.complete = validated, true
			call("run", "--quiet", "--scale", "8", "--kernel", k.kernel, "--prune", k.prune,
				fmt.Sprintf("--validate=%v", validated), "--output", in(k))
			cut, again, cutAgain := k, k, k
			cut.complete, again.resumed, cutAgain.complete, cutAgain.resumed = false, true, false, true
			copyCut(t, in(k), in(cut), 5)
			kinds = append(kinds, k, cut)
			if !validated && k.prune == "hub" || k.kernel == "both" && k.prune == "none" {
				continue // like resuming the other kinds
			}
			copyCut(t, in(k), in(again), 5)
			call("run", "--quiet", "--resume", in(again))
			copyCut(t, in(again), in(cutAgain), 9)
			kinds = append(kinds, again, cutAgain)
		}
	}
	return below, kinds
}

// copyCut writes a run as if it had been interrupted after that many searches of its first kernel.
func copyCut(t *testing.T, from, to string, searches int) {
	t.Helper()
	run, err := record.Read(from)
	if err != nil {
		t.Fatal(err)
	}
	for i := range run.Kernels {
		k := &run.Kernels[i]
		k.Searches, searches = k.Searches[:min(searches, len(k.Searches))], 0
	}
	run.Failure = record.Interrupted
	var text, lines bytes.Buffer
	if err := errors.Join(run.WriteJSON(&text), run.WriteSearches(&lines)); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{record.File: text.Bytes(), "searches.jsonl": lines.Bytes()} {
		writeText(t, filepath.Join(to, name), text)
	}
}

// Every command that reads stored runs takes every kind of run: it succeeds or prints one reason, and its exit status
// agrees with its last line.
func TestReadingCommandsTakeEveryKindOfRun(t *testing.T) {
	below, kinds := storedKinds(t)
	checkPairs(t, below, kinds)
	for _, k := range kinds {
		dir := filepath.Join(below, k.String())
		check := func(good bool, want string, args ...string) {
			t.Helper()
			status, out, errOut := call(args...)
			if (status == success) != good || !strings.Contains(lastLine(out)+lastLine(errOut), want) {
				t.Errorf("%v: %q: status %d, no %q in the last line of\n%s%s", k, args, status, want, out, errOut)
			}
		}
		submittable := k.valid() && k.prune == "none" && !k.resumed
		check(submittable, map[bool]string{true: "The submission is in ", false: "nothing was written"}[submittable],
			"submission", dir, "--output", filepath.Join(t.TempDir(), "s"))
		check(k.valid(), map[bool]string{true: "", false: "nothing to compare"}[k.valid()], "compare", dir, dir)
		checkStudy(t, k, dir)
		if k.complete {
			check(false, "there is nothing to resume", "run", "--resume", dir)
		} else {
			check(k.validated, map[bool]string{true: "VALID", false: "INVALID: the trees were not validated"}[k.validated],
				"run", "--quiet", "--resume", dir)
		}
	}
	status, out, errOut := call("report", below)
	if status != success || !strings.Contains(out, fmt.Sprintf("%d runs", len(kinds))) {
		t.Errorf("report: status %d\n%s%s", status, out, errOut)
	}
}

// checkStudy runs a study whose folder has the run already.
func checkStudy(t *testing.T, k storedKind, dir string) {
	t.Helper()
	if !k.complete {
		return // the study would resume the run, which this test does itself
	}
	file, study := studyFile(t, fmt.Sprintf("scaling = \"strong\"\nscales = [8]\nranks = [1]\nkernels = [%q]\n", k.kernel))
	name := "scale8-ranks1-run1"
	if k.kernel != "bfs" {
		name += "-" + k.kernel
	}
	if err := os.CopyFS(filepath.Join(study, name), os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	status, out, errOut := call("scale", file, "--output", study)
	if (status == success) != k.valid() || strings.Contains(out, "1 of 1 run valid") != k.valid() {
		t.Errorf("%v: scale: status %d\n%s%s", k, status, out, errOut)
	}
}

// checkPairs submits each run together with each other run. Only pruned runs take an unpruned run; if one of both lacks
// something, a rule names it.
func checkPairs(t *testing.T, below string, kinds []storedKind) {
	t.Helper()
	for _, k := range kinds {
		for _, other := range kinds {
			if k.resumed || other.resumed || k.prune == "none" && other != kinds[0] {
				continue // refused with every other run
			}
			if k != kinds[0] && !k.valid() && !other.valid() || !other.validated && !other.complete {
				continue // refused for each of several reasons
			}
			status, out, errOut := call("submission", filepath.Join(below, k.String()), "--unpruned",
				filepath.Join(below, other.String()), "--output", filepath.Join(below, "s", k.String(), other.String()))
			want, last := failure, "nothing was written"
			if k.prune == "none" {
				want, last = misuse, "--unpruned does not apply"
			} else if k.valid() && other.valid() && other.kernel != "bfs" && other.prune == "none" {
				want, last = success, "The submission is in "
			}
			if status != want || !strings.Contains(lastLine(out)+lastLine(errOut), last) {
				t.Errorf("%v with %v: status %d, want %d\n%s%s", k, other, status, want, out, errOut)
			}
		}
	}
}

// Each command that reads an edited record names it and leaves it out of its results. Other runs count.
func TestReadingCommandsNameContradictions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs")
	whole, edited := filepath.Join(dir, "sound"), filepath.Join(dir, "edited")
	call("run", "--quiet", "--scale", "8", "--output", whole)
	copyCut(t, whole, edited, 64)
	sound := read(t, filepath.Join(whole, record.File))
	at := strings.Index(sound, `"searches": [`)
	for member, named := range map[string]string{
		"edges": "search key 0 has ", "edges_with_self_loops": "search key 0 has ", "status": "run.json lacks status",
	} {
		text := strings.Replace(sound, `"status": "VALID",`, "", 1)
		if member != "status" {
			first := regexp.MustCompile(`"` + member + `": \d+`)
			text = sound[:at] + strings.Replace(sound[at:], first.FindString(sound[at:]), `"`+member+`": 4097`, 1)
		}
		writeText(t, filepath.Join(edited, record.File), text)
		for _, c := range []struct {
			args   []string
			status int
		}{
			{[]string{"submission", edited}, failure},
			{[]string{"compare", whole, edited}, failure},
			{[]string{"compare", dir, dir}, success},
			{[]string{"run", "--resume", edited}, misuse},
		} {
			status, out, errOut := call(c.args...)
			if status != c.status || !strings.Contains(out+errOut, named) {
				t.Errorf("%s: %q: status %d, no %q in\n%s%s", member, c.args, status, named, out, errOut)
			}
		}
		status, _, errOut := call("report", dir)
		page := read(t, filepath.Join(dir, "report", cli.MarkdownFile))
		if status != success || !strings.Contains(page, named) ||
			!strings.Contains(page, string(record.Inconsistent)) || !strings.Contains(page, ", 1 valid, on ") {
			t.Errorf("%s: report: status %d, %s\n%s", member, status, errOut, page)
		}
	}
}
