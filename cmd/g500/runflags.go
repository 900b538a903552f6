// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/cmd/cli"
	"g500/settings"
)

// runOptions are the flags of "g500 run" that are not part of the configuration.
type runOptions struct {
	config string
	resume string
	logDir string
	print  bool // print the configuration instead of running
	json   bool
	quiet  bool
	gauges string // file for Prometheus
	plan   planOptions

	reference *referenceMode // of a run under a name of the reference code, else nil

	waitForSilent bool // wait for ranks that do not answer
}

// runFlags adds the flags of "g500 run", which set cfg and opt.
func runFlags(c *cobra.Command, cfg *settings.Config, opt *runOptions) {
	f := c.Flags()
	settingFlags(f, cfg, "graph", "search", "policy", "machine", "output")
	for _, s := range settings.Table {
		if s.Within == "" {
			cli.InGroup(f, s.Group, s.Flag)
		}
	}
	f.StringVar(&opt.config, "config", "", "read settings from this TOML file, or from the preset of this name")
	f.StringVar(&opt.resume, "resume", "", "resume the interrupted run in this output folder")
	f.StringVar(&opt.logDir, "log-dir", "", "write one log file per rank to this folder")
	f.BoolVar(&opt.waitForSilent, "wait-for-silent", false,
		"wait for ranks that do not answer, as in a debugger, instead of ending the run")
	prometheusFlag(f, &opt.gauges)
	f.BoolVar(&opt.print, "print-config", false, "print the settings as a file for --config and exit")
	planFlags(f, &opt.plan)
	f.BoolVar(&opt.json, "json", false, "print run.json instead of the output block")
	f.BoolVarP(&opt.quiet, "quiet", "q", false, "print only the output block, notes and the verdict")
	cli.InGroup(f, settings.Basic, "config", "resume", "json", "quiet")
	cli.InGroup(f, settings.OfOutput, "log-dir", "prometheus", "print-config", "plan", "gpu-memory-gib", "host-memory-gib")
	cli.InGroup(f, settings.Experts, "wait-for-silent")
	c.MarkFlagsMutuallyExclusive("config", "resume")
	c.MarkFlagsMutuallyExclusive("resume", "output")
	c.MarkFlagsMutuallyExclusive("plan", "resume", "print-config")
}

// settingFlags adds the flags of settings, which set cfg. A key is one of a setting or of a table of settings, without
// settings within other ones.
func settingFlags(f *pflag.FlagSet, cfg *settings.Config, keys ...string) {
	for _, s := range settings.Table {
		listed := slices.Contains(keys, s.Key) || s.Within == "" && slices.Contains(keys, s.Table())
		if !listed {
			continue
		}
		if text := textFlag(s.Key, cfg); text.set != nil {
			f.VarPF(text, s.Flag, s.Short, s.Usage()).NoOptDefVal = text.bare
			continue
		}
		switch value := s.Field(cfg).(type) {
		case *string:
			f.StringVarP(value, s.Flag, s.Short, *value, s.Usage())
		case *int:
			f.IntVarP(value, s.Flag, s.Short, *value, s.Usage())
		case *int64:
			f.Int64VarP(value, s.Flag, s.Short, *value, s.Usage())
		case *bool:
			f.BoolVarP(value, s.Flag, s.Short, *value, s.Usage())
		case *settings.Duration:
			f.DurationVarP((*time.Duration)(value), s.Flag, s.Short, time.Duration(*value), s.Usage())
		case pflag.Value:
			f.VarP(value, s.Flag, s.Short, s.Usage())
		}
	}
}
