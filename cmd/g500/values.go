package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// refuseEmpty refuses empty values of flags, and empty arguments. No flag has a use for one, and a shell makes it of a
// command that failed, as in --config "$(...)": the command would do something else than was meant.
func refuseEmpty(c *cobra.Command, args []string) (err error) {
	if c.DisableFlagParsing { // the shell's question how a word could go on, which may be none yet
		return nil
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.String() == "" && err == nil {
			err = misuseError{fmt.Errorf("--%s has an empty value: name one, or leave the flag out", f.Name)}
		}
	})
	for _, arg := range args {
		if arg == "" && err == nil {
			err = misuseError{fmt.Errorf("%s has an empty argument; see %s --help", c.CommandPath(), c.CommandPath())}
		}
	}
	return err
}

// decimal is a flag with a whole number that is read as people read it: 010 is ten. Without it the flags would take 010
// for eight, as C does.
type decimal struct{ pflag.Value }

func (d decimal) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("a whole number is needed, as in 10")
	}
	return d.Value.Set(strconv.FormatInt(n, 10))
}

// decimalFlags makes decimals of the whole numbers among the flags of a command and its subcommands.
func decimalFlags(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if kind := f.Value.Type(); kind == "int" || kind == "int64" {
			f.Value = decimal{f.Value}
		}
	})
	for _, sub := range c.Commands() {
		decimalFlags(sub)
	}
}
