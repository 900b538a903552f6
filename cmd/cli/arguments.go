// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/internal/lists"
	"g500/internal/nearest"
	"g500/internal/output"
)

// Group returns a command that only has subcommands. Its texts are in the manual.
func Group(name string, subcommands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use:  name,
		Args: onlySubcommands,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(subcommands...)
	return c
}

// onlySubcommands refuses the name of a subcommand that c does not have.
func onlySubcommands(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return Misuse(cmp.Or(asReferenceCode(c, args), noCommand(c, args[0])))
}

// onlyCommands refuses the name of a command that the program does not have, for "g500 help".
func onlyCommands(help *cobra.Command, args []string) error {
	c, rest, err := help.Root().Find(args)
	if err == nil && len(rest) == 0 {
		return nil
	}
	return Misuse(noCommand(c, append(rest, args...)[0]))
}

func noCommand(c *cobra.Command, name string) error {
	if name == "lab" && c.CommandPath() == "g500" {
		return fmt.Errorf("there is no command %q: the laboratory is the program g500-lab, which make lab builds", name)
	}
	names := lists.Of(c.Commands(), (*cobra.Command).Name)
	return fmt.Errorf("there is no command %q%s; see %s --help", name, nearest.DidYouMean(name, names), c.CommandPath())
}

// nearestFlag ends the error for a flag that a command does not have: with the commands that have it, else with the
// nearest name.
func nearestFlag(c *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return ""
	}
	if having := commandsWith(c.Root(), unknown.GetSpecifiedName()); len(having) > 0 {
		return fmt.Sprintf(", which is of %s", output.List(having, "and"))
	}
	var names []string
	c.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, "--"+flag.Name)
		}
	})
	return nearest.DidYouMean("--"+unknown.GetSpecifiedName(), names)
}

// commandsWith returns the paths of the commands in and below c with a flag.
func commandsWith(c *cobra.Command, flag string) (paths []string) {
	each(c, func(c *cobra.Command) {
		if f := c.LocalFlags().Lookup(flag); f != nil && !f.Hidden {
			paths = append(paths, c.CommandPath())
		}
	})
	return paths
}

// NoArguments refuses arguments that are not flags.
func NoArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return Misuse(cmp.Or(asReferenceCode(c, args), fmt.Errorf(
		"%s takes no argument %q; see %[1]s --help, and write switches as --validate=false", c.CommandPath(), args[0])))
}

// Arguments refuses fewer than low arguments, or more than high. need completes the sentence "the command needs ...".
func Arguments(low, high int, need string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if low <= len(args) && len(args) <= high {
			return nil
		}
		return Misuse(fmt.Errorf("%s needs %s, as in %s", c.CommandPath(), need, c.UseLine()))
	}
}

// asReferenceCode returns an error with the flags of "g500 run" if c is g500 or that command and args are a scale and
// optionally an edge factor, as the Graph500 reference code takes them; else nil.
func asReferenceCode(c *cobra.Command, args []string) error {
	if name := c.CommandPath(); len(args) > 2 || name != "g500" && name != "g500 run" {
		return nil
	}
	flags := ""
	for i, arg := range args {
		if n, err := strconv.Atoi(arg); err != nil || n < 0 {
			return nil
		}
		flags += " " + []string{"--scale", "--edgefactor"}[i] + " " + arg
	}
	return fmt.Errorf("scale and edge factor are flags here: g500 run%s", flags)
}
