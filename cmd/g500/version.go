package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"g500/comm"
	"g500/internal/machine"
	"g500/record"
)

// version and commit are set by the Makefile.
var (
	version = "0.3.0"
	commit  = "unknown"
)

func programVersion() record.Program { return record.NewProgram("g500 "+version, commit) }

// builtWith lists the optional parts of this program.
func builtWith() string {
	if comm.HasMPI() {
		return "loopback, MPI (" + comm.MPIVersion() + ")"
	}
	return "loopback; no MPI (build with make MPI=1)"
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and the compiled-in features",
		Args:  noArguments,
		RunE:  func(c *cobra.Command, _ []string) error { return printVersion(c.OutOrStdout()) },
	}
}

// printVersion prints the version and the optional parts.
func printVersion(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s\ntransports: %s\nengines:    %s; %s\ntoolchain:  %s %s\n",
		programVersion(), builtWith(), engineNames(), gpuBuild(), runtime.Version(), machine.System())
	return err
}
