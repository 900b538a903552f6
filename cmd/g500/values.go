package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/graph"
	"g500/internal/output"
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

// limit is the range of a number.
type limit struct{ low, high float64 }

// limits are the ranges of number flags, by "flag" or, if a command differs, by "command flag". Package record has the
// ranges of settings of a run, packages net and pages check --repeats, --sizes and --page-bytes.
var limits = map[string]limit{
	"confidence":         {1, 99.999},
	"fail-below":         {0, 99.999},
	"max-latency-us":     {0, 1e9},
	"min-cores":          {0, 1 << 20},
	"min-gbs":            {0, 1e9},
	"min-gpu-memory-gib": {0, 1 << 30},
	"min-gpus":           {0, 1 << 20},
	"min-memory-gib":     {0, 1 << 30},
	"gpu-memory-gib":     {0, 1 << 30},
	"host-memory-gib":    {0, 1 << 30},
	"info root":          {busiest, math.MaxInt32},
	"runs":               {1, 1 << 20},
	"same":               {0, 99.999},
	"slow":               {1.001, 1e9},
	"sources":            {1, 1 << 20},
	"spare-pages":        {0, 1 << 31},
	"validate root":      {0, 1 << graph.MaxScale},
}

// limitOf returns the range of a flag; all numbers for a flag without one.
func limitOf(c *cobra.Command, flag string) limit {
	for _, key := range []string{c.Name() + " " + flag, flag} {
		if l, has := limits[key]; has {
			return l
		}
	}
	return limit{math.Inf(-1), math.Inf(1)}
}

// check refuses a number out of range, and no number.
func (l limit) check(x float64) error {
	if l.low <= x && x <= l.high {
		return nil
	}
	if math.IsInf(l.high, 1) {
		return errors.New("a number is needed, as in 1.5")
	}
	return fmt.Errorf("it must be from %s to %s", strconv.FormatFloat(l.low, 'f', -1, 64),
		strconv.FormatFloat(l.high, 'f', -1, 64))
}

// checked is a flag whose values have a form that a sentence describes.
type checked struct {
	pflag.Value
	form func(text string) (present string, err error) // returns the text for Value
	need string                                        // for a text that Value refuses
}

func (v checked) Set(text string) error {
	present, err := v.form(text)
	if err == nil && v.Value.Set(present) != nil {
		err = errors.New(v.need)
	}
	return err
}

// checkedList is a checked flag with a list.
type checkedList struct {
	checked
	pflag.SliceValue
}

// asGiven is the form of texts that the flag itself checks.
func asGiven(text string) (string, error) { return text, nil }

// decimal is the form of whole numbers: 010 is ten. pflag itself reads it as eight, as C does.
func (l limit) decimal(text string) (string, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return "", errors.New("a whole number is needed, as in 10")
	}
	return strconv.FormatInt(n, 10), l.check(float64(n))
}

// real is the form of other numbers.
func (l limit) real(text string) (string, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", errors.New("a number is needed, as in 1.5")
	}
	return text, l.check(x)
}

// word is the form of a word from a list.
func word(words []string) func(string) (string, error) {
	return func(text string) (string, error) {
		if slices.Contains(words, text) {
			return text, nil
		}
		return "", errors.New("choose " + output.List(words, "or"))
	}
}

// checkFlags lets the flags of a command and its subcommands refuse wrong values by a sentence.
func checkFlags(c *cobra.Command) {
	c.InitDefaultHelpFlag()
	c.Flags().VisitAll(func(f *pflag.Flag) {
		l, v := limitOf(c, f.Name), f.Value
		switch list, isList := v.(pflag.SliceValue); v.Type() {
		case "bool":
			f.Value = checked{v, asGiven, "it must be true or false"}
		case "duration":
			f.Value = checked{v, asGiven, "a time is needed, as in 90s or 2h30m"}
		case "float64":
			f.Value = checked{v, l.real, ""}
		case "int", "int64":
			f.Value = checked{v, l.decimal, "a whole number is needed, as in 10"}
		case "uint64":
			f.Value = checked{v, asGiven, "a whole number from 0 to 2^64-1 is needed"}
		case "string":
			if words := choices[c.Name()+" "+f.Name]; words != nil {
				f.Value = checked{v, word(words), ""}
			}
		default:
			if isList && v.Type() == "intSlice" {
				f.Value = checkedList{checked{v, asGiven, "whole numbers are needed, as in 8,1024"}, list}
			}
		}
	})
	for _, sub := range c.Commands() {
		checkFlags(sub)
	}
}
