// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"g500/internal/machine"
	"g500/record"
)

// Version and Commit of the module are set by the Makefile.
var (
	Version = "0.3.0"
	Commit  = "unknown"
)

// ProgramVersion returns the name of a program with its version and commit.
func ProgramVersion(name string) record.Program { return record.NewProgram(name+" "+Version, Commit) }

func (p Program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and the compiled-in features",
		Args:  NoArguments,
		RunE:  func(c *cobra.Command, _ []string) error { return p.printVersion(c.OutOrStdout()) },
	}
}

// printVersion prints the version and the optional parts.
func (p Program) printVersion(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s\n%s\ntoolchain:  %s %s\n", ProgramVersion(p.Root.Name()), p.Built(), runtime.Version(),
		machine.System())
	return err
}
