// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"g500/comm"
	"g500/docs/schema"
	"g500/internal/infile"
	"g500/internal/machine"
)

// The exit statuses. Only a VALID run ends with success.
const (
	Success    = 0
	Failure    = 1 // an invalid, incomplete or failed run
	WasMisused = 2 // a command line or configuration that is wrong on any machine
)

// ErrInvalid ends a command that has already printed the reason.
var ErrInvalid = errors.New("invalid")

type misuse struct{ error }

// Misuse marks an error that ends the program with status WasMisused.
func Misuse(err error) error { return misuse{err} }

// Program is a program with commands.
type Program struct {
	Root  *cobra.Command
	Built func() string // lines that describe the optional parts of the program
	Last  io.Writer     // receives the error that ends the program; nil for the writer of other errors
	Manual
	Flags
}

// Run runs one command and returns its exit status.
func (p Program) Run(args []string, out, errOut io.Writer) int {
	root := p.Complete()
	printed := &cleanWriter{name: "standard output", to: out}
	errOut = Clean("standard error", errOut)
	root.SetArgs(args)
	root.SetOut(printed)
	root.SetErr(errOut)
	libraryCommands(root)
	each(root, p.check)
	each(root, p.addHelp)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { fmt.Fprint(c.OutOrStdout(), p.help(c, false)) })
	err := cmp.Or(root.Execute(), printed.failed())
	if err == nil {
		return Success
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped by a signal")
	}
	if p.Last != nil {
		errOut = Clean("standard error", p.Last)
	}
	if !errors.Is(err, ErrInvalid) && !errors.Is(err, comm.ErrAborted) { // already printed
		fmt.Fprintf(errOut, "%s: %v\n", root.Name(), err)
	}
	if errors.As(err, new(misuse)) {
		return WasMisused
	}
	return Failure
}

// Complete adds the commands and flags to Root that all programs have, and returns it.
func (p Program) Complete() *cobra.Command {
	root := p.Root
	root.AddCommand(schemaCommand(), p.versionCommand(), p.manCommand())
	root.SilenceUsage, root.SilenceErrors = true, true
	root.DisableAutoGenTag = true // in manual pages
	root.PersistentPreRunE = func(c *cobra.Command, args []string) error {
		return cmp.Or(refuseEmpty(c, args), refuseExclusive(c), enoughToStart())
	}
	showVersion := root.Flags().Bool("version", false, "print the version and the compiled-in features")
	root.RunE = func(c *cobra.Command, _ []string) error {
		if *showVersion {
			return p.printVersion(c.OutOrStdout())
		}
		return c.Help()
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if before := c.Flags().Args(); c == root && len(before) > 0 { // the flag is of a command that does not exist
			return onlySubcommands(c, before)
		}
		return Misuse(fmt.Errorf("%w%s; see %s --help", err, nearestFlag(c, err), c.CommandPath()))
	})
	each(root, p.complete)
	return root
}

// enoughToStart refuses to begin if the process lacks address space for its threads. With less, space.c ends a
// program with MPI or CUDA before Go's runtime starts.
func enoughToStart() error {
	if limit, left := machine.AddressSpace(); limit > 0 && left == 0 {
		return fmt.Errorf("the limit of this process's address space, ulimit -v %d, is used up by the program itself: "+
			"raise it by some GiB, or to unlimited", limit>>10)
	}
	return nil
}

// libraryCommands adds the commands of cobra, whose output root must have already. They refuse unknown words.
func libraryCommands(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Args, c.RunE = onlySubcommands, func(c *cobra.Command, _ []string) error { return c.Help() }
		case "help":
			c.Args = onlyCommands
		}
	}
}

// cleanWriter writes text to another writer without control characters, which names of files and texts of foreign files
// may have, and with coloured verdicts on a terminal. It stores the first error, so that a command fails if its output
// is lost. It is safe for concurrent use.
type cleanWriter struct {
	name  string // of the output
	to    io.Writer
	mutex sync.Mutex
	rest  []byte // the beginning of a character whose end follows
	err   error  // with the cure
}

// failed returns the first error of a write, nil if all text was written.
func (w *cleanWriter) failed() error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.err
}

// hasColours reports whether verdicts have colours, which a variable may forbid (no-color.org). Open MPI gives a rank a
// terminal that is none of the user's.
func (w *cleanWriter) hasColours() bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && OnTerminal(w) && comm.Launched().Name == ""
}

// valid and invalid match verdicts, which are green and red: VALID is a line, INVALID begins one or follows other text.
var (
	valid   = regexp.MustCompile(`(?m)^VALID$`)
	invalid = regexp.MustCompile(`(?m)(^|[:,] )INVALID\b`)
)

func (w *cleanWriter) Write(text []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	all := append(w.rest, text...)
	complete := len(all)
	for i := 1; i < utf8.UTFMax && i <= len(all); i++ {
		if begun := all[len(all)-i:]; utf8.RuneStart(begun[0]) && !utf8.FullRune(begun) {
			complete -= i
		}
	}
	w.rest = bytes.Clone(all[complete:])
	clean := infile.CleanOutput(all[:complete])
	if w.hasColours() {
		clean = valid.ReplaceAll(clean, []byte("\x1b[32mVALID\x1b[0m"))
		clean = invalid.ReplaceAll(clean, []byte("$1\x1b[31mINVALID\x1b[0m"))
	}
	_, err := w.to.Write(clean)
	if err == nil {
		return len(text), nil
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	w.err = cmp.Or(w.err, fmt.Errorf("%s cannot be written (%w), and its text is not complete: free space, or redirect "+
		"it elsewhere", w.name, err))
	return len(text), w.err
}

// Clean returns a writer that writes text to an output of this name without control characters.
func Clean(name string, to io.Writer) io.Writer { return &cleanWriter{name: name, to: to} }

func schemaCommand() *cobra.Command {
	names := strings.Join(schema.Names(), ", ")
	return &cobra.Command{
		Use:   "schema NAME",
		Short: "Print the JSON Schema of a document that g500 or g500-lab writes",
		Long: "Print the JSON Schema (draft 2020-12) of a document that a command prints with --json. A name ends with\n" +
			"the document's format; the one of run is also the schema of run.json. NAME is one of\n" + names + ".",
		Args:      Arguments(1, 1, "one NAME"),
		ValidArgs: schema.Names(),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := schema.Of(args[0])
			if err != nil {
				return Misuse(fmt.Errorf("there is no schema %q: choose one of %s", args[0], names))
			}
			_, err = c.OutOrStdout().Write(text)
			return err
		},
	}
}
