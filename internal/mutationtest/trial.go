// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// verdict is how the tests of a mutant ended.
type verdict string

const (
	noticed  verdict = "noticed"
	survived verdict = "SURVIVED"
	timedOut verdict = "TIMED OUT" // not "noticed": the tests would hang instead of naming the rule
	noStart  verdict = "NO START"  // the tests did not run
)

// suite is a set of tests in one test program.
type suite struct {
	name    string // as in the list of mutants
	folder  string // in which it runs
	command []string
	limit   time.Duration // for one mutant
}

// newSuite compiles the tests with a name, unless programs has them.
func newSuite(name string, programs map[string]string) (*suite, error) {
	words := strings.Fields(name)
	s := &suite{name: name, folder: filepath.Join(built, "emulator"), command: words, limit: 20 * time.Minute}
	if folder := words[0]; strings.HasPrefix(folder, "./") {
		if programs[folder] == "" {
			program, err := testProgram(folder)
			if err != nil {
				return s, err
			}
			programs[folder] = program
		}
		s.folder, s.command = folder, []string{programs[folder], "-test.failfast"}
		if len(words) > 1 {
			s.command = append(s.command, "-test.run", words[1])
		}
	}
	return s, nil
}

// time runs the tests without a mutant: they must pass. Their time determines the limit for one mutant.
func (s *suite) time() error {
	began := time.Now()
	if v, by := s.run(0); v != survived {
		return fmt.Errorf("the tests %s do not pass without a mutant (%s: %s)", s.name, v, by)
	}
	s.limit = time.Minute + 5*time.Since(began)
	return nil
}

// failure matches the first line of a failed test, of a panic or of a failed trial of the emulator.
var failure = regexp.MustCompile(
	`(?m)^\s*--- FAIL: (\S+)|^(panic: .*|fatal error: .*)|^(.*(?:FAILED|failed|wrong|differ).*)$`)

// run runs the tests with a mutant; 0 is none. It returns the verdict and what noticed the mutant.
func (s *suite) run(mutant int) (v verdict, by string) {
	ctx, cancel := context.WithTimeout(context.Background(), s.limit)
	defer cancel()
	var out bytes.Buffer
	c := exec.CommandContext(ctx, s.command[0], s.command[1:]...)
	c.Dir, c.Stdout, c.Stderr = s.folder, &out, &out
	c.Env = append(os.Environ(), fmt.Sprintf("MUT=%d", mutant))
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that processes which a test starts end too
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return timedOut, s.name
	case err == nil:
		return survived, ""
	case !errors.As(err, &exit):
		return noStart, err.Error()
	}
	return noticed, s.reason(out.Bytes(), exit)
}

// reason names the test that failed: its package and name, or the program and its message.
func (s *suite) reason(out []byte, exit error) string {
	program := strings.TrimPrefix(strings.Fields(s.name)[0], "build/emulated/")
	at := failure.FindSubmatch(out)
	if at == nil {
		return fmt.Sprint(program, ": ", exit)
	}
	if test := string(at[1]); test != "" {
		return program + " " + test
	}
	return program + ": " + strings.TrimSpace(string(at[2])+string(at[3]))
}

// try runs the suites that must notice a mutant, in their order, until one does.
func (m mutant) try(suites map[string]*suite) (v verdict, by string) {
	v = survived
	for _, name := range m.Tests {
		if v, by = suites[name].run(m.Number); v != survived {
			return v, by
		}
	}
	return v, by
}
