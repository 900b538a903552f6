// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"g500/comm"
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
	// Examples are command lines by the path of a command, each after a line that begins with # and describes it. A
	// command can also have them itself.
	Examples map[string]string
	// Environment and Files are for manual pages: the variables that programs read, and files by the path of a command.
	Environment []Term
	Files       map[string][]Term
	Last        io.Writer // receives the error that ends the program; nil for the writer of other errors
	Flags
}

// Term is a name with its description.
type Term struct{ Name, Is string }

// Run runs one command and returns its exit status.
func (p Program) Run(args []string, out, errOut io.Writer) int {
	root := p.Complete()
	printed := &checkedWriter{to: out}
	errOut = &cleanWriter{to: errOut}
	root.SetArgs(args)
	root.SetOut(&cleanWriter{to: printed})
	root.SetErr(errOut)
	libraryCommands(root)
	p.check(root)
	p.addHelp(root)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { fmt.Fprint(c.OutOrStdout(), p.help(c, false)) })
	err := cmp.Or(root.Execute(), printed.failed())
	if err == nil {
		return Success
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped by a signal")
	}
	if p.Last != nil {
		errOut = &cleanWriter{to: p.Last}
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
	p.complete(root)
	return root
}

// enoughToStart refuses to begin if the process lacks address space for its threads. With less, space_cgo.go ends a
// program with MPI or CUDA before Go's runtime starts.
func enoughToStart() error {
	if limit, left := machine.AddressSpace(); limit > 0 && left == 0 {
		return fmt.Errorf("the limit of this process's address space, ulimit -v %d, is used up by the program itself: "+
			"raise it by some GiB, or to unlimited", limit>>10)
	}
	return nil
}

// libraryCommands adds the commands of cobra, whose output root must have already. They refuse words that they do not
// know.
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
