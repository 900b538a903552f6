// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"io"

	"github.com/spf13/cobra"
)

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
