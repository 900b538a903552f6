// Command gotest runs go test with its arguments, as in "go run ./internal/gotest -race ./...". It prints one line per
// package and the output of tests that failed, and then the tests that were skipped, with their reasons: go test alone
// does not print them. It appends the skipped tests to the file that the environment variable STEPS_SKIPS names, if it
// is set, for scripts/steps.sh. Its exit status is go test's.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
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

// run runs go test and returns its exit status. skips is the file to append skipped tests to, "" for none.
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
