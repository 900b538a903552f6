// SPDX-License-Identifier: Apache-2.0

package clitest

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/cmd/cli"
	"g500/internal/expect"
)

// Program is a program under test.
type Program struct{ New func() cli.Program }

// Call runs one command in this process.
func (p Program) Call(args ...string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = p.New().Run(args, &o, &e)
	return status, o.String(), e.String()
}

// MustCall runs one command in this process and returns its output. The test ends if it fails.
func (p Program) MustCall(t *testing.T, args ...string) string {
	t.Helper()
	status, out, errOut := p.Call(args...)
	if status != cli.Success {
		t.Fatalf("%q: status %d\n%s%s", args, status, out, errOut)
	}
	return out
}

// Commands returns all commands of the program.
func (p Program) Commands() []*cobra.Command { return commandsOf(p.New().Complete()) }

// commandsOf returns all commands below a command.
func commandsOf(c *cobra.Command) (all []*cobra.Command) {
	for _, sub := range c.Commands() {
		all = append(append(all, sub), commandsOf(sub)...)
	}
	return all
}

// ShortWriter stores that many bytes and then fails like a full disk.
type ShortWriter struct {
	Text bytes.Buffer
	Left int
}

func (w *ShortWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.Left)
	w.Left -= n
	w.Text.Write(p[:n])
	if n < len(p) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

// FailsIfOutputIsLost checks that a command whose standard output is lost fails with one error.
func (p Program) FailsIfOutputIsLost(t *testing.T, commands ...string) {
	t.Helper()
	for _, args := range commands {
		for _, left := range []int{0, 5} {
			var errOut bytes.Buffer
			status := p.New().Run(strings.Fields(args), &ShortWriter{Left: left}, &errOut)
			text := errOut.String()
			if status != cli.Failure || strings.Count(text, p.New().Root.Name()+": ") != 1 ||
				!strings.Contains(text, "standard output cannot be written (no space left on device)") {
				t.Errorf("%s, %d bytes written: status %d, %q", args, left, status, text)
			}
		}
	}
}

// HasManualPages checks that each command has a manual page with all its flags.
func (p Program) HasManualPages(t *testing.T) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "man")
	p.MustCall(t, "man", "--dir", dir)
	for _, c := range p.Commands() {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		page := strings.ReplaceAll(expect.Read(t, filepath.Join(dir, name)), `\-`, "-")
		head := fmt.Sprintf(".nh\n.TH %q \"1\"", strings.ToUpper(p.New().Root.Name()))
		if !strings.HasPrefix(page, head) || strings.Contains(page, "Auto generated") {
			t.Errorf("the page of %s begins %.80q", c.CommandPath(), page)
		}
		for _, title := range []string{"EXAMPLES", "EXIT STATUS", "SEE ALSO"} {
			if !strings.Contains(page, ".SH "+title+"\n") {
				t.Errorf("the page of %s has no %s", c.CommandPath(), title)
			}
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if has := strings.Contains(page, "--"+f.Name); has == f.Hidden {
				t.Errorf("the page of %s has --%s: %v", c.CommandPath(), f.Name, has)
			}
		})
	}
	for path, files := range p.New().Files {
		page := expect.Read(t, filepath.Join(dir, strings.ReplaceAll(path, " ", "-")+".1"))
		for _, term := range append(slices.Clone(files), p.New().Environment...) {
			if !strings.Contains(page, ".TP\n\\fB"+strings.ReplaceAll(term.Name, "-", `\-`)+"\\fP\n") {
				t.Errorf("the page of %s has no %s", path, term.Name)
			}
		}
	}
}
