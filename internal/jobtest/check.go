// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var (
	// crash matches the output of a program that crashed.
	crash = regexp.MustCompile(`panic:|goroutine \d+|fatal error:|SIGSEGV|Segmentation fault|%!|runtime error`)
	// harmless matches the reasons of INVALID runs that do not mean an error of the program.
	harmless = regexp.MustCompile(`no search key|no vertex has an edge|^INVALID: incomplete|^INCOMPLETE|not validated`)
	sentence = regexp.MustCompile(`(?m)^g500: .*\S`)
)

// check returns the first rule that an end breaks, "" if it breaks none.
func check(j job, e end) string {
	last, errors := verdict(j, e.out), sentences(e)
	success, valid, message := e.status == 0, last == "VALID", append(errors, last)[0]
	for _, rule := range []struct {
		fault  string
		broken bool
	}{
		{unclean(e), unclean(e) != ""},
		{"a signal ended it", e.status < 0},
		{fmt.Sprintf("exit status %d, and the last line is %q", e.status, last), success != valid},
		{"exit status 0 with an error: " + message, success && len(errors) > 0},
		{fmt.Sprintf("%d sentences, not one: %s", len(errors), strings.Join(errors, " | ")), len(errors) > 1},
		{fmt.Sprintf("exit status %d without a sentence", e.status), message == ""},
		{"a wrong result: " + last, len(errors) == 0 && !valid && !harmless.MatchString(last)},
		{"it must be VALID: " + message, j.want == mustBeValid && !success},
		{"it must be refused", j.want == mustFail && success},
		{"it must be INVALID because the results were not validated: " + message,
			j.want == notChecked && !strings.Contains(last, "not validated")},
	} {
		if rule.broken {
			return rule.fault
		}
	}
	return ""
}

// unclean finds a hang, a crash, or output that is not text.
func unclean(e end) string {
	text := e.out + e.errOut
	if e.hung {
		return "it did not end within the time limit"
	}
	if found := crash.FindString(text); found != "" {
		return fmt.Sprintf("its output has %q", found)
	}
	if strings.Count(e.errOut, `\x`) > 4 {
		return "it prints binary bytes, escaped"
	}
	if i := strings.IndexFunc(text, func(r rune) bool {
		return r == unicode.ReplacementChar || !unicode.IsPrint(r) && !strings.ContainsRune("\n\t\r", r)
	}); i >= 0 {
		return fmt.Sprintf("its output has a byte that is not text, after %q", text[max(0, i-40):i])
	}
	return ""
}

// sentences returns the distinct errors on standard error: every MPI rank reports a wrong command line.
func sentences(e end) []string {
	return slices.Compact(slices.Sorted(slices.Values(sentence.FindAllString(e.errOut, -1))))
}

// storedRun has the fields of a run's JSON that jobtest reads. They are declared again, to notice a renamed field.
type storedRun struct {
	Status, Reason string
	Graph          struct{ Vertices, Edges int64 }
	Kernels        []struct{ Searches []search }
}

// search is a search of either kernel, and the number of its job.
type search struct {
	Root, Edges int64
	Reached     int64 `json:"reached_vertices"`
	job         int
}

// verdict returns the last line of the output, or the status and the reason in JSON output.
func verdict(j job, out string) string {
	if !j.json || !strings.HasPrefix(out, "{") {
		text := strings.TrimSpace(out)
		return text[strings.LastIndex(text, "\n")+1:]
	}
	var run storedRun
	if err := json.Unmarshal([]byte(out), &run); err != nil {
		return "JSON that cannot be read: " + err.Error()
	}
	return strings.Trim(run.Status+": "+run.Reason, ": ")
}

// agreement has the first search from each root of each graph. All searches from a root must find the same component,
// whatever the kernel, the engine and the number of ranks.
type agreement map[string]search

// check compares the printed or stored results of a valid job with the known size of its graph and with the results of
// earlier jobs. It returns the first difference, "" if there is none or if there are no results.
func (a agreement) check(j job, out string) string {
	text := []byte(out)
	if !j.json && j.dir == "" {
		return ""
	} else if !j.json {
		text, _ = os.ReadFile(filepath.Join(j.dir, "run.json")) // no file is no JSON
	}
	var run storedRun
	if err := json.Unmarshal(text, &run); err != nil {
		return "the stored run cannot be read: " + err.Error()
	}
	searched := false
	for _, kernel := range run.Kernels {
		for _, s := range kernel.Searches {
			key := fmt.Sprintf("%s root %d", j.name, s.Root)
			if _, known := a[key]; !known {
				s.job = j.number
				a[key] = s
			}
			first := a[key]
			if s.Reached < 2 || s.Edges < s.Reached-1 || first.Edges != s.Edges || first.Reached != s.Reached {
				return fmt.Sprintf("%s: %d vertices over %d edges; job %d found %d over %d", key, s.Reached, s.Edges,
					first.job, first.Reached, first.Edges)
			}
			searched = true
		}
	}
	if !searched {
		return "the stored run is VALID and has no search"
	}
	if g := run.Graph; j.vertices >= 0 && g.Vertices != j.vertices || j.edges >= 0 && g.Edges != j.edges {
		return fmt.Sprintf("the graph has %d vertices and %d edges, and must have %d and %d (-1: any number)",
			g.Vertices, g.Edges, j.vertices, j.edges)
	}
	return ""
}
