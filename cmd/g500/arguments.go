package main

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
)

// group returns a command that only has subcommands.
func group(name, short, long string, subcommands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: name, Short: short, Long: long,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return misuseError{cmp.Or(asReferenceCode(c, args),
				fmt.Errorf("there is no command %q; see %s --help", args[0], c.CommandPath()))}
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(subcommands...)
	return c
}

// noArguments refuses arguments that are not flags.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return misuseError{cmp.Or(asReferenceCode(c, args), fmt.Errorf(
		"%s takes no argument %q; see %[1]s --help, and write switches as --validate=false", c.CommandPath(), args[0]))}
}

// arguments refuses fewer than low arguments, or more than high. need completes the sentence "the command needs ...".
func arguments(low, high int, need string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if low <= len(args) && len(args) <= high {
			return nil
		}
		return misuseError{fmt.Errorf("%s needs %s, as in %s", c.CommandPath(), need, c.UseLine())}
	}
}

// oneArgument refuses another number of arguments than one, and names it.
func oneArgument(name string) cobra.PositionalArgs { return arguments(1, 1, "one "+name) }

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
