package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// refuseEmpty refuses empty values of flags and empty arguments. No flag needs one, and the shell passes one if a
// command fails in --config "$(...)".
func refuseEmpty(c *cobra.Command, args []string) (err error) {
	if c.DisableFlagParsing { // the shell completes a word, which may be empty
		return nil
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		if list, is := f.Value.(pflag.SliceValue); err == nil && (f.Value.String() == "" || is && len(list.GetSlice()) == 0) {
			err = misuseError{fmt.Errorf("--%s has an empty value: name one, or leave the flag out", f.Name)}
		}
	})
	for _, arg := range args {
		if arg == "" && err == nil {
			err = misuseError{fmt.Errorf("%s has an empty argument; see %[1]s --help", c.CommandPath())}
		}
	}
	return err
}

// decimal is a flag with a decimal integer: 010 is ten. pflag itself reads it as eight, as C does.
type decimal struct{ pflag.Value }

func (d decimal) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("a whole number is needed, as in 10")
	}
	return d.Value.Set(strconv.FormatInt(n, 10))
}

// decimalFlags makes the integer flags of a command and its subcommands decimal.
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
