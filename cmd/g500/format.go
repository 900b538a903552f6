package main

import (
	"io"

	"github.com/spf13/pflag"

	"g500/lab"
)

// outputFormat is the format in which a command prints its result: text, JSON or CSV.
type outputFormat struct{ json, csv bool }

// addTo adds the flags. row is the content of a row of CSV.
func (o *outputFormat) addTo(f *pflag.FlagSet, row string) {
	f.BoolVar(&o.json, "json", false, "print JSON, in base units: seconds, bytes, edges, TEPS")
	f.BoolVar(&o.csv, "csv", false, "print CSV, one row per "+row+", in base units")
}

// writer writes a result in one format.
type writer func(io.Writer) error

// write writes a result in the chosen format.
func (o outputFormat) write(out io.Writer, text, json, csv writer) error {
	switch {
	case o.json:
		return json(out)
	case o.csv:
		return csv(out)
	}
	return text(out)
}

// writeLab writes a report of the laboratory. The error is errInvalid if a result was wrong.
func (o outputFormat) writeLab(out io.Writer, r *lab.Report) error {
	rows := r.WriteCSV
	if r.Traced {
		rows = r.WriteLevelsCSV
	}
	if err := o.write(out, r.WriteText, r.WriteJSON, rows); err != nil {
		return err
	}
	if r.Wrong() {
		return errInvalid
	}
	return nil
}
