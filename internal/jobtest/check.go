package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The kinds of ends, as the table shows them.
const (
	endedValid   = "VALID"
	endedRefused = "refused"
	endedFailed  = "FAILED"
)

// kind returns how the job ended.
func (r result) kind() string {
	switch {
	case r.fault != "":
		return endedFailed
	case r.last().status == 0:
		return endedValid
	}
	return endedRefused
}

// crash matches output of a program that failed by a mistake of its own.
var crash = regexp.MustCompile(`panic:|goroutine \d+|fatal error:|SIGSEGV|Segmentation fault|%!|runtime error`)

// harmless matches the reasons of INVALID runs that are no mistake of the program.
var harmless = regexp.MustCompile(`no search key|no vertex has an edge|^INVALID: incomplete|not validated`)

// check returns the first rule that an end breaks, "" if it breaks none.
func check(j job, e end) string {
	if fault := unclean(e); fault != "" {
		return fault
	}
	last := verdict(j, e)
	sentences := sentences(e)
	valid := last == "VALID"
	switch {
	case e.status < 0:
		return "a signal ended it"
	case e.status == 0 && !valid:
		return fmt.Sprintf("exit status 0, and the last line is %q", last)
	case e.status != 0 && valid:
		return fmt.Sprintf("exit status %d, and the last line is VALID", e.status)
	case e.status == 0 && len(sentences) > 0:
		return "exit status 0 with an error: " + sentences[0]
	case len(sentences) > 1:
		return fmt.Sprintf("%d sentences, not one: %s", len(sentences), strings.Join(sentences, " | "))
	case e.status != 0 && len(sentences) == 0 && last == "":
		return fmt.Sprintf("exit status %d without a sentence", e.status)
	case len(sentences) == 0 && last != "" && !valid && !harmless.MatchString(last):
		return "a wrong result: " + last
	}
	return unwanted(j, e, last)
}

// unclean finds a hang, a crash, or bytes that are no text.
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
	for i, r := range text {
		if r == utf8.RuneError || !unicode.IsPrint(r) && !strings.ContainsRune("\n\t\r", r) {
			return fmt.Sprintf("its output has a byte that is no text, after %q", text[max(0, i-40):i])
		}
	}
	return ""
}

// unwanted compares an end with the ending that the job must have.
func unwanted(j job, e end, last string) string {
	said := append(sentences(e), last)[0]
	switch {
	case j.want == mustBeValid && e.status != 0:
		return "it must be VALID: " + said
	case j.want == mustFail && e.status == 0:
		return "it must be refused"
	case j.want == notChecked && !strings.Contains(last, "not validated"):
		return "it must be INVALID because nothing was validated: " + said
	}
	return ""
}

// interrupted returns the first rule that a run with a signal breaks. Whatever its status is, it must end without a
// crash.
func interrupted(e end) string {
	if fault := unclean(e); fault != "" {
		return "interrupted: " + fault
	}
	return ""
}

// sentences returns the errors on standard error, each once: every MPI rank reports a wrong command line itself.
func sentences(e end) (all []string) {
	for line := range strings.Lines(e.errOut) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "g500: ") && !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	return all
}

// verdict returns the last line on standard output if it is a verdict, else "". A run that prints JSON has its status
// there.
func verdict(j job, e end) string {
	if j.json && strings.HasPrefix(e.out, "{") {
		var run struct{ Status, Reason string }
		if err := json.Unmarshal([]byte(e.out), &run); err != nil {
			return "JSON that cannot be read: " + err.Error()
		}
		if run.Status == "VALID" {
			return run.Status
		}
		return "INVALID: " + strings.TrimSpace(strings.ToLower(run.Status)+" "+run.Reason)
	}
	lines := strings.Split(strings.TrimSpace(e.out), "\n")
	return lines[len(lines)-1]
}
