// Command gotest runs go test with its arguments, as in "go run ./internal/gotest -race ./...". It prints one line per
// package, the output of failed tests, and the skipped tests with their reasons, which go test alone does not print. It
// appends the skipped tests to the file in the environment variable STEPS_SKIPS, if it is set, for scripts/steps.sh.
// Its exit status is that of go test.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

func main() {
	status, err := run(os.Args[1:], os.Getenv("STEPS_SKIPS"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		status = max(status, 1)
	}
	os.Exit(status)
}

// run runs go test and returns its exit status. skips is the file for skipped tests, "" for none.
func run(args []string, skips string) (status int, err error) {
	command := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	command.Stderr = os.Stderr
	events, err := command.StdoutPipe()
	if err != nil {
		return 1, err
	}
	if err := command.Start(); err != nil {
		return 1, err
	}
	s := summary{out: os.Stdout}
	err = s.read(events)
	var exit *exec.ExitError
	if failed := command.Wait(); errors.As(failed, &exit) {
		status = exit.ExitCode()
	} else {
		err = errors.Join(err, failed)
	}
	s.printSkipped()
	return status, errors.Join(err, s.appendSkipped(skips))
}

// event is a line of "go test -json".
type event struct{ Action, Package, Test, Output string }

// summary prints a summary of the events of a test run.
type summary struct {
	out     io.Writer
	skipped []string // "package.Test: reason", in the order of their ends
}

// reasonLine matches the output line with the reason of a skipped test.
var reasonLine = regexp.MustCompile(`(?m)^\s+\w+\.go:\d+: (.*)$`)

// read reads all events. It prints the output of packages, such as build errors, at once.
func (s *summary) read(events io.Reader) error {
	outputs := map[string]string{} // of running tests, by package and name
	for from := json.NewDecoder(events); ; {
		var e event
		if err := from.Decode(&e); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("go test -json: %w", err)
		}
		name := e.Package + "." + e.Test
		switch {
		case e.Action == "build-output" || e.Action == "output" && e.Test == "":
			if e.Output != "PASS\n" {
				fmt.Fprint(s.out, e.Output)
			}
		case e.Action == "output":
			outputs[name] += e.Output
		case e.Action == "fail" && e.Test != "":
			fmt.Fprint(s.out, outputs[name])
		case e.Action == "pass":
			delete(outputs, name)
		case e.Action == "skip" && e.Test != "":
			reason := append(reasonLine.FindStringSubmatch(outputs[name]), "", "no reason given")[1]
			s.skipped = append(s.skipped, name+": "+reason)
		}
	}
}

// printSkipped prints the skipped tests and their number.
func (s *summary) printSkipped() {
	for _, test := range s.skipped {
		fmt.Fprintln(s.out, "skipped", test)
	}
	if n := len(s.skipped); n > 0 {
		fmt.Fprintf(s.out, "%d Go tests skipped\n", n)
	}
}

// appendSkipped appends one line per skipped test to a file.
func (s *summary) appendSkipped(path string) error {
	if path == "" || len(s.skipped) == 0 {
		return nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString("Go test " + strings.Join(s.skipped, "\nGo test ") + "\n")
	return errors.Join(err, file.Close())
}
