// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/pflag"

	"g500/cmd/cli"
	"g500/internal/atomicfile"
)

// gaugesExtension is the end of the names of files that node_exporter's textfile collector reads.
const gaugesExtension = ".prom"

// prometheusFlag adds the flag for a file with gauges.
func prometheusFlag(f *pflag.FlagSet, path *string) {
	f.StringVar(path, "prometheus", "", "write the figures for Prometheus' textfile collector to this file, NAME.prom")
}

// checkGauges returns an error for a file that the collector would not read. An empty path is no file.
func checkGauges(path string) error {
	if path != "" && filepath.Ext(path) != gaugesExtension {
		return fmt.Errorf("--prometheus %s: its name must end with %s, because the textfile collector reads no other files",
			path, gaugesExtension)
	}
	return nil
}

// writeGauges replaces the file at once, so that the collector reads the old or the new figures. An empty path is no
// file.
func writeGauges(path string, write cli.Writer) error {
	if path == "" {
		return nil
	}
	if err := atomicfile.Write(path, write); err != nil {
		return fmt.Errorf("cannot write the file for Prometheus: %w", err)
	}
	return nil
}
