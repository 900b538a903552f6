// SPDX-License-Identifier: Apache-2.0

package clitest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"g500/cmd/cli"
	"g500/comm"
	"g500/internal/expect"
	"g500/internal/infile"
)

// Command is a command of scripts.
type Command = func(ts *testscript.TestScript, neg bool, args []string)

// Main runs the tests. In a process that a test or a script has started by the name of a program, it runs the
// program, with the settings of the test.
func Main(m *testing.M, programs map[string]func()) {
	if d, err := time.ParseDuration(os.Getenv("G500_TEST_GRACE")); err == nil {
		cli.Grace = d
	}
	cli.Version = cmp.Or(os.Getenv("G500_TEST_VERSION"), cli.Version)
	if os.Getenv("G500_TEST_DRIVER") != "" {
		cli.DriverLoaded = func() bool { return true }
	}
	if os.Getenv("G500_TEST_SMALL_ARCHIVES") != "" {
		cli.ArchiveBytes, cli.ArchiveRecords = 1<<20, 3
	}
	testscript.Main(withoutThreads{m}, programs)
}

// withoutThreads runs tests without the user's numbers of threads.
type withoutThreads struct{ *testing.M }

func (m withoutThreads) Run() int {
	os.Unsetenv("GOMAXPROCS")
	os.Unsetenv("OMP_NUM_THREADS")
	return m.M.Run()
}

// AnyMachine is set in the environment of a program whose output must not depend on the load of this machine.
const AnyMachine = "G500_TEST_ANY_MACHINE"

// RunScripts runs the scripts of a folder: text files with command lines and what they print, as
// github.com/rogpeppe/go-internal/testscript describes. They have the commands of more and these:
//
//	exits STATUS PROGRAM ARGUMENT... [=> TEXT]...
//
// runs a program, and checks its exit status and that its output or its error output has each text. If p fails without
// output, it prints one sentence. A word with braces, as in --ranks {1,3}, is a run with each alternative. p runs in
// this process, with the environment and the standard input of the script only after "env".
//
//	follows DOCUMENT FILE...
//
// checks that files, which may be stdout or a pattern, follow the schema of a document.
//
// $ROOT is the path to this repository. The conditions are [mpi] for a program with MPI, [mpich] for one with
// MPICH, and [nohup] if SIGHUP is ignored.
func (p Program) RunScripts(t *testing.T, folder string, documents Documents, more map[string]Command) {
	root, err := filepath.Abs("../..")
	folder, noFolder := filepath.Abs(folder) // commands change the working directory
	expect.NoError(t, errors.Join(err, noFolder))
	commands := map[string]Command{"exits": p.exits, "follows": documents.follows}
	maps.Copy(commands, more)
	conditions := map[string]bool{"mpi": comm.MPIVersion() != "", "mpich": strings.HasPrefix(comm.MPIVersion(), "MPICH"),
		"nohup": signal.Ignored(syscall.SIGHUP)}
	testscript.Run(t, testscript.Params{
		Dir: folder, Cmds: commands, ContinueOnError: true, RequireUniqueNames: true,
		Condition: func(name string) (bool, error) {
			holds, known := conditions[name]
			if !known {
				return false, errors.New("there is no such condition")
			}
			return holds, nil
		},
		Setup: func(e *testscript.Env) error {
			e.Vars = slices.Concat(os.Environ(), e.Vars, []string{"ROOT=" + root, AnyMachine + "=1",
				"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"})
			return nil
		},
	})
}

func (p Program) exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM ARGUMENT... [=> TEXT]...")
	}
	for i, arg := range args { // braces, as in the shell
		before, rest, _ := strings.Cut(arg, "{")
		if all, after, has := strings.Cut(rest, "}"); has && strings.Contains(all, ",") {
			for one := range strings.SplitSeq(all, ",") {
				p.exits(ts, neg, slices.Replace(slices.Clone(args), i, i+1, before+one+after))
			}
			return
		}
	}
	command, texts := args[1:], ""
	if end := slices.Index(args, "=>"); end > 0 {
		command, texts = args[1:end], strings.Join(args[end:], " ")
	}
	status, out, errOut := p.run(ts, command)
	if status != args[0] {
		ts.Fatalf("%q: exit status %s", command, status)
	}
	for text := range strings.SplitSeq(texts, "=> ") {
		text = strings.TrimSuffix(text, " ")
		if !strings.Contains(out+errOut, text) {
			ts.Fatalf("%q: no %q", command, text)
		} else if text != "" && status != "0" && strings.Count(errOut, text) > 1 {
			ts.Fatalf("%q: %q is printed twice", command, text)
		}
	}
	if command[0] == "env" {
		command = command[1:]
	}
	if command[0] != p.New().Root.Name() {
		return
	}
	if fault := faultOf(status, out, errOut, ts.Getenv("TMPDIR")); fault != "" {
		ts.Fatalf("%q: %s", command, fault)
	}
	if strings.Contains(errOut, "rank 0:") && !slices.Contains(command, "--ranks") {
		ts.Fatalf("%q: the only rank is named", command)
	}
}

// working is held while a command in this process is in the working directory of its script.
var working sync.Mutex

// run runs a command of a script, p in this process, and returns its exit status and what it prints.
func (p Program) run(ts *testscript.TestScript, command []string) (status, out, errOut string) {
	if command[0] == p.New().Root.Name() {
		working.Lock()
		defer working.Unlock()
		before, err := os.Getwd()
		ts.Check(errors.Join(err, os.Chdir(ts.MkAbs("."))))
		defer func() { ts.Check(os.Chdir(before)) }()
		n, out, errOut := p.Call(command[1:]...)
		fmt.Fprint(ts.Stdout(), out)
		fmt.Fprint(ts.Stderr(), errOut)
		return fmt.Sprint(n), out, errOut
	}
	status = "0"
	err := ts.Exec(command[0], command[1:]...)
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		status = fmt.Sprint(ended.ExitCode())
	} else {
		ts.Check(err)
	}
	return status, ts.ReadFile("stdout"), ts.ReadFile("stderr")
}

// faultOf returns what is wrong in the error of a command, "" for nothing. A misuse has no output; without output an
// error is one sentence in the words of users.
func faultOf(status, out, errOut, tmp string) string {
	sentence := strings.TrimSuffix(announced.ReplaceAllString(errOut, ""), "\n")
	switch {
	case status == "0":
		return ""
	case status == fmt.Sprint(cli.WasMisused) && out != "":
		return "a misuse has output"
	case out == "" && (sentence == "" || strings.Contains(sentence, "\n")):
		return "the error is not one sentence"
	case WordsOfGo.MatchString(sentence):
		return "the error has words of Go"
	case strings.Contains(sentence, tmp):
		return "the error names a temporary folder"
	case !infile.IsClean(strings.ReplaceAll(sentence, "\n", "")):
		return "the error has control characters"
	}
	return ""
}

// OddFiles makes files that are not small texts, by the word that names each in an error; a binary file has none.
var OddFiles = map[string]func(path string) error{
	"a pipe":      func(path string) error { return syscall.Mkfifo(path, 0o600) },
	"a device":    func(path string) error { return os.Symlink("/dev/zero", path) },
	"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
	"bytes": func(path string) error {
		return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40))
	},
	"": func(path string) error {
		return os.WriteFile(path, []byte("\x7fELF\x02\x1b]0;pwn\a\x00\xff\xfe = [\u202e\n\n{\"a\x9b"), 0o600)
	},
}

// WordsOfGo are words of errors of Go's packages that users do not know.
var WordsOfGo = regexp.MustCompile(
	`json: cannot|toml: line|strconv|unmarshal|Go struct|invalid character|invalid syntax|EOF|panic`)

// announced matches the lines of a run before its error.
var announced = regexp.MustCompile(`(?m)^(memory|note|process|nodes|the run stores|strong scaling|weak scaling).*\n`)

// NamesOddFiles checks that every command that reads a small file names a file of another kind in one sentence. rows
// has a command per line. DIR/x is the file; the file of commands with =>, which is in a folder DIR, has the name after
// it.
func (p Program) NamesOddFiles(t *testing.T, rows string) {
	t.Helper()
	for row := range strings.SplitSeq(rows, "\n") {
		for kind, create := range OddFiles {
			if kind == "a pipe" && strings.Contains(row, "roots") {
				continue // which may be a pipe
			}
			command, name, _ := strings.Cut(row, " => ")
			if name == "" {
				name = "x"
			}
			dir := t.TempDir()
			if err := create(filepath.Join(dir, name)); err != nil {
				t.Skip(err)
			}
			status, out, errOut := p.Call(strings.Fields(strings.ReplaceAll(command, "DIR", dir))...)
			errOut = announced.ReplaceAllString(errOut, "")
			named := strings.Contains(errOut, kind) || strings.Contains(errOut, "longer than any file of roots")
			expect.That(t, status != cli.Success && out == "" && strings.Count(errOut, "\n") == 1 &&
				!WordsOfGo.MatchString(errOut) && infile.IsClean(strings.TrimSpace(errOut)) && named,
				"%s, %q: status %d, %q, %q", row, kind, status, out, errOut)
		}
	}
}
