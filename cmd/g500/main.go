// Command g500 is a Graph500 benchmark for one machine or an MPI cluster, on CPUs or GPUs.
//
// run.go starts the ranks, package bench does the benchmark's steps, and package record stores and prints the result.
// Package analysis/report makes tables, pictures and a page from stored results (report.go). This package reads flags
// and shows progress.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"g500/comm"
	"g500/internal/machine"
)

func main() { os.Exit(endTogether(os.Args[1:], g500(os.Args[1:], os.Stdout, os.Stderr))) }

// The exit statuses. Only a VALID run ends with success.
const (
	success = 0
	failure = 1 // an invalid, incomplete or failed run
	misuse  = 2 // a command line or configuration that is wrong on any machine
)

// errInvalid ends a command that has already printed the reason.
var errInvalid = errors.New("invalid")

// misuseError marks an error that ends the program with status misuse.
type misuseError struct{ error }

// g500 runs one command and returns its exit status.
func g500(args []string, out, errOut io.Writer) int {
	root := rootCommand()
	printed := &checkedWriter{to: out}
	errOut = &cleanWriter{to: errOut}
	root.SetArgs(args)
	root.SetOut(&cleanWriter{to: printed})
	root.SetErr(errOut)
	libraryCommands(root)
	checkFlags(root)
	err := cmp.Or(root.Execute(), printed.failed())
	if err == nil {
		return success
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped by a signal")
	}
	if !errors.Is(err, errInvalid) && !errors.Is(err, comm.ErrAborted) { // already printed
		fmt.Fprintf(errOut, "g500: %v\n", err)
	}
	var wrong misuseError
	if errors.As(err, &wrong) {
		return misuse
	}
	return failure
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

func rootCommand() *cobra.Command {
	root := group("g500", "Graph500 breadth-first search benchmark",
		"A Graph500 breadth-first search benchmark for one machine or an MPI cluster, on CPUs or GPUs.\n\n"+
			"The exit status is 0 for success, for a run only if it is VALID; 1 for a run that is invalid, incomplete or\n"+
			"failed, and for other failures; 2 for a command line or a configuration that is wrong on any machine.",
		runCommand(), generateCommand(), validateCommand(), scaleCommand(), reportCommand(), compareCommand(), modelCommand(),
		netCommand(), graphCommand(), labCommand(), submissionCommand(), doctorCommand(), schemaCommand(),
		versionCommand(), manCommand())
	root.SilenceUsage, root.SilenceErrors = true, true
	root.DisableAutoGenTag = true // in manual pages
	root.PersistentPreRunE = func(c *cobra.Command, args []string) error {
		return cmp.Or(refuseEmpty(c, args), enoughToStart())
	}
	showVersion := root.Flags().Bool("version", false, "print the version and the compiled-in features")
	root.RunE = func(c *cobra.Command, _ []string) error {
		if *showVersion {
			return printVersion(c.OutOrStdout())
		}
		return c.Help()
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return misuseError{fmt.Errorf("%w%s; see %s --help", err, nearestFlag(c.Flags(), err), c.CommandPath())}
	})
	completeFlags(root)
	return root
}
