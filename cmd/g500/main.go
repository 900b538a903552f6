// Command g500 is a Graph500 benchmark (breadth-first search) for one machine or an MPI cluster.
//
// The main path: run.go here starts the ranks, bench.Run does the benchmark's steps in order, report prints the
// result. This package reads flags and shows progress; it holds no logic of the benchmark.
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

func main() { os.Exit(g500(os.Args[1:], os.Stdout, os.Stderr)) }

// The exit statuses. Only a VALID run ends with success.
const (
	success = 0
	failure = 1 // an invalid, incomplete or failed run
	misuse  = 2 // a command line or configuration that is wrong on any machine
)

// errInvalid ends a command whose output has told already what is wrong.
var errInvalid = errors.New("invalid")

// misuseError marks what the user can mend on the command line.
type misuseError struct{ error }

// g500 runs one command and returns its exit status.
func g500(args []string, out, errOut io.Writer) int {
	root := rootCommand()
	printed := &checkedWriter{to: out}
	root.SetArgs(args)
	root.SetOut(printed)
	root.SetErr(errOut)
	err := cmp.Or(root.Execute(), printed.failed())
	if err == nil {
		return success
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped by a signal")
	}
	if !errors.Is(err, errInvalid) && !errors.Is(err, comm.ErrAborted) { // those have been printed
		fmt.Fprintf(errOut, "g500: %v\n", err)
	}
	var wrong misuseError
	if errors.As(err, &wrong) {
		return misuse
	}
	return failure
}

// noArguments refuses what stands on the command line beside flags.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if err := asReferenceCode(args); err != nil && c.Name() == "run" {
		return misuseError{err}
	}
	return misuseError{fmt.Errorf("%s takes no argument %q; see %s --help, and write switches as --validate=false",
		c.CommandPath(), args[0], c.CommandPath())}
}

// enoughSpace refuses to begin where there is no address space for the threads that a command needs.
func enoughSpace() error {
	if limit, left := machine.AddressSpace(); limit > 0 && left == 0 {
		return fmt.Errorf("the limit of this process's address space, ulimit -v %d, leaves nothing beside the program "+
			"itself: raise it by some GiB, or to unlimited", limit>>10)
	}
	return nil
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "g500",
		Short: "Graph500 breadth-first search benchmark",
		Long: "A Graph500 breadth-first search benchmark for one machine or an MPI cluster, on CPUs or GPUs.\n\n" +
			"The exit status is 0 where all is well, for a run: if it is VALID; 1 for a run that is invalid, incomplete\n" +
			"or failed, and for whatever else could not be done; 2 for a command line or a configuration that is wrong\n" +
			"on any machine.",
		SilenceUsage:      true,
		SilenceErrors:     true,
		DisableAutoGenTag: true, // in manual pages
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return misuseError{cmp.Or(asReferenceCode(args),
					fmt.Errorf("there is no command %q; see g500 --help", args[0]))}
			}
			return nil
		},
		PersistentPreRunE: func(c *cobra.Command, args []string) error { return cmp.Or(refuseEmpty(c, args), enoughSpace()) },
	}
	showVersion := root.Flags().Bool("version", false, "print the version and the compiled-in features")
	root.RunE = func(c *cobra.Command, _ []string) error {
		if *showVersion {
			return printVersion(c.OutOrStdout())
		}
		return c.Help()
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return misuseError{fmt.Errorf("%w; see %s --help", err, c.CommandPath())}
	})
	root.AddCommand(runCommand(), generateCommand(), validateCommand(), scaleCommand(), reportCommand(), compareCommand(),
		modelCommand(), netCommand(), graphCommand(), labCommand(), submissionCommand(), doctorCommand(),
		versionCommand(), manCommand())
	root.SetGlobalNormalizationFunc(presentName)
	completeFlags(root)
	decimalFlags(root)
	return root
}
