// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/graph/formats"
	"g500/internal/lists"
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
			err = Misuse(fmt.Errorf("--%s has an empty value: name one, or leave the flag out", f.Name))
		}
	})
	for _, arg := range args {
		if arg == "" && err == nil {
			err = Misuse(fmt.Errorf("%s has an empty argument; see %[1]s --help", c.CommandPath()))
		}
	}
	return err
}

// Limit is the range of a number.
type Limit struct{ Low, High float64 }

// Flags describes the flags of a program, by "flag" or, if a command differs, by "command flag".
type Flags struct {
	// Choices are the words that the shell offers. Those by "command flag" are checked here, others by their settings.
	Choices map[string][]string
	// Completers compute the words that the shell offers, by "flag" only.
	Completers map[string]cobra.CompletionFunc
	// Folders are flags that take a folder, by "flag" only.
	Folders []string
	// Values are the names of values in help, if the type of the flag has no other name.
	Values map[string]string
	// Groups are the groups of flags (InGroup) in the order of the help. The last one is for experts.
	Groups []string
	// Limits are the ranges of numbers that are no settings of a run.
	Limits map[string]Limit
}

// of returns what a table has for a flag of a command.
func of[T any](table map[string]T, c *cobra.Command, flag string) (found T, has bool) {
	if found, has = table[c.Name()+" "+flag]; !has {
		found, has = table[flag]
	}
	return found, has
}

// each calls f with a command and all commands below it.
func each(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		each(sub, f)
	}
}

// complete registers the completion of the flags of a command.
func (p Flags) complete(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		completer := p.Completers[f.Name]
		if words, has := of(p.Choices, c, f.Name); has {
			completer = cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
		}
		var err error
		if slices.Contains(p.Folders, f.Name) && c.Name() != "generate" { // whose --output takes a file
			err = c.MarkFlagDirname(f.Name)
		} else if completer != nil {
			err = c.RegisterFlagCompletionFunc(f.Name, completer)
		}
		if err != nil {
			panic(err) // the flag exists
		}
	})
}

// check refuses a number out of range, and no number.
func (l Limit) check(x float64) error {
	if l.Low <= x && x <= l.High {
		return nil
	}
	if math.IsInf(l.High, 1) {
		return errors.New("a number is needed, as in 1.5")
	}
	return fmt.Errorf("it must be from %s to %s", strconv.FormatFloat(l.Low, 'f', -1, 64),
		strconv.FormatFloat(l.High, 'f', -1, 64))
}

// checked is a flag that refuses wrong values by a sentence.
type checked struct {
	pflag.Value
	set func(text string) error
}

func (v checked) Set(text string) error { return v.set(text) }

// checkedList is a checked flag with a list.
type checkedList struct {
	checked
	pflag.SliceValue
}

// needs has the sentences that refuse wrong values, by the type of the flag.
var needs = map[string]string{"bool": "it must be true or false", "duration": "a time is needed, as in 90s or 2h30m",
	"intSlice": "whole numbers are needed, as in 8,1024", "uint64": "a whole number from 0 to 2^64-1 is needed"}

// check lets the flags of a command refuse wrong values by a sentence.
func (p Flags) check(c *cobra.Command) {
	c.InitDefaultHelpFlag()
	c.Flags().Lookup("help").Usage = "print this help"
	c.Flags().VisitAll(func(f *pflag.Flag) {
		l, limited := of(p.Limits, c, f.Name)
		if !limited {
			l = Limit{math.Inf(-1), math.Inf(1)}
		}
		v, words := f.Value, p.Choices[c.Name()+" "+f.Name]
		if need := needs[v.Type()]; need != "" {
			f.Value = checked{v, func(text string) error {
				if v.Set(text) != nil {
					return errors.New(need)
				}
				return nil
			}}
		}
		switch v.Type() {
		case "intSlice":
			f.Value = checkedList{f.Value.(checked), v.(pflag.SliceValue)}
		case "float64":
			f.Value = checked{v, func(text string) error {
				x, err := strconv.ParseFloat(text, 64)
				if err != nil {
					return errors.New("a number is needed, as in 1.5")
				}
				return cmp.Or(l.check(x), v.Set(text))
			}}
		case "int", "int64": // 010 is ten; pflag itself reads it as eight, as C does
			f.Value = checked{v, func(text string) error {
				n, err := strconv.ParseInt(text, 10, 64)
				if err != nil || v.Set(strconv.FormatInt(n, 10)) != nil {
					return errors.New("a whole number is needed, as in 10")
				}
				return l.check(float64(n))
			}}
		case "string":
			if words != nil {
				f.Value = checked{v, func(text string) error {
					if !slices.Contains(words, text) {
						return errors.New("choose " + output.List(words, "or"))
					}
					return v.Set(text)
				}}
			}
		}
	})
}

// Parse parses the flags of a command that no program has.
func (p Flags) Parse(c *cobra.Command, args []string) error {
	p.check(c)
	if err := c.ParseFlags(args); err != nil {
		return fmt.Errorf("%w%s", err, nearestFlag(c, err))
	}
	return refuseExclusive(c)
}

// RefuseIdle returns a misuse error if the command line has one of the flags, which have no effect. why ends the
// sentence "--name has no effect ...". f is nil if there is no command line.
func RefuseIdle(f *pflag.FlagSet, why string, names ...string) error {
	for _, name := range names {
		if f != nil && f.Changed(name) {
			return Misuse(fmt.Errorf("--%s has no effect %s: leave it out", name, why))
		}
	}
	return nil
}

// exclusive is cobra's annotation of a flag with the groups of flags that exclude each other.
const exclusive = "cobra_annotation_mutually_exclusive"

// refuseExclusive returns a misuse error if the command line has two flags of a group of MarkFlagsMutuallyExclusive.
func refuseExclusive(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		for _, group := range f.Annotations[exclusive] {
			absent := func(name string) bool { return !c.Flags().Changed(name) }
			if given := slices.DeleteFunc(strings.Fields(group), absent); len(given) > 1 && err == nil {
				err = Misuse(fmt.Errorf("--%s and --%s exclude each other: choose one", given[0], given[1]))
			}
		}
	})
	return err
}

// OutputFormat is the format in which a command prints its result: text, JSON or CSV.
type OutputFormat struct{ json, csv bool }

// AddTo adds the flags, which exclude each other. row is the content of a row of CSV.
func (o *OutputFormat) AddTo(c *cobra.Command, row string) {
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print JSON, in base units: seconds, bytes, edges, TEPS")
	f.BoolVar(&o.csv, "csv", false, "print CSV, one row per "+row+", in base units")
	c.MarkFlagsMutuallyExclusive("json", "csv")
}

// Writer writes a result in one format.
type Writer func(io.Writer) error

// Write writes a result in the chosen format.
func (o OutputFormat) Write(out io.Writer, text, json, csv Writer) error {
	switch {
	case o.json:
		return json(out)
	case o.csv:
		return csv(out)
	}
	return text(out)
}

// MakingGraph is the first step of commands that make graphs, after the name of the graph.
const MakingGraph = ": reading or generating"

// CompleteSpecs offers the kinds of graphs, and files.
var CompleteSpecs = cobra.FixedCompletions(lists.Of(formats.Kinds(), func(k formats.Kind) cobra.Completion {
	return cobra.CompletionWithDesc(k.Name+":", k.Help)
}), cobra.ShellCompDirectiveDefault|cobra.ShellCompDirectiveNoSpace)
