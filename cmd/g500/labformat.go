package main

import (
	"errors"
	"io"

	"github.com/spf13/pflag"

	"g500/lab"
)

// labFormat is how a report of the laboratory is printed: as tables for people, as JSON or as CSV.
type labFormat struct{ json, csv bool }

// addTo adds the flags; row is what CSV has a row for.
func (l *labFormat) addTo(f *pflag.FlagSet, row string) {
	f.BoolVar(&l.json, "json", false, "print JSON, in base units: seconds, bytes, edges per second")
	f.BoolVar(&l.csv, "csv", false, "print CSV, one row per "+row+", in base units")
}

func (l *labFormat) check() error {
	if l.json && l.csv {
		return errors.New("--json and --csv exclude each other: choose one")
	}
	return nil
}

// writer writes a report in one form.
type writer func(io.Writer) error

// tell prints a report, and ends with an error if a result was wrong.
func (l *labFormat) tell(r *lab.Report, out io.Writer, text, csv writer) error {
	write := text
	switch {
	case l.json:
		write = r.WriteJSON
	case l.csv:
		write = csv
	}
	if err := write(out); err != nil {
		return err
	}
	if r.Wrong() {
		return errInvalid
	}
	return nil
}
