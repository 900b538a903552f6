package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// event is a line of "go test -json".
type event struct{ Action, Package, Test, Output string }

// summary prints the events of a test run in short.
type summary struct {
	out     io.Writer
	texts   map[string]*strings.Builder // output of tests that have not ended, by package and name
	skipped []string                    // "package.Test: reason", in the order of their ends
}

// read reads events until there are no more.
func (s *summary) read(events io.Reader) error {
	s.texts = map[string]*strings.Builder{}
	for from := json.NewDecoder(events); ; {
		var e event
		err := from.Decode(&e)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("go test -json: %w", err)
		}
		s.take(e)
	}
}

// take takes one event. Output of a package, as of a build that fails, is printed at once.
func (s *summary) take(e event) {
	name := e.Package + "." + e.Test
	switch {
	case e.Action == "build-output" || e.Action == "output" && e.Test == "":
		if e.Output != "PASS\n" {
			fmt.Fprint(s.out, e.Output)
		}
	case e.Action == "output":
		if s.texts[name] == nil {
			s.texts[name] = new(strings.Builder)
		}
		s.texts[name].WriteString(e.Output)
	case e.Test != "" && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip"):
		s.end(e, name)
	}
}

// end takes the end of a test.
func (s *summary) end(e event, name string) {
	text := ""
	if s.texts[name] != nil {
		text = s.texts[name].String()
	}
	delete(s.texts, name)
	switch e.Action {
	case "fail":
		fmt.Fprint(s.out, text)
	case "skip":
		s.skipped = append(s.skipped, name+": "+reason(text))
	}
}

// reasonLine matches the line of a skipped test's output that has its reason, after the place.
var reasonLine = regexp.MustCompile(`(?m)^\s+\w+\.go:\d+: (.*)$`)

// reason finds why a test was skipped in its output.
func reason(text string) string {
	if found := reasonLine.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return "no reason given"
}

// printSkipped prints the tests that were skipped, and how many there are.
func (s *summary) printSkipped() {
	for _, test := range s.skipped {
		fmt.Fprintln(s.out, "skipped", test)
	}
	if n := len(s.skipped); n > 0 {
		fmt.Fprintf(s.out, "%d Go tests skipped\n", n)
	}
}
