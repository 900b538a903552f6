// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/cmd/cli"
	"g500/comm"
	"g500/internal/atomicfile"
	"g500/policy"
	"g500/record"
	"g500/settings"
)

// textValue is a flag whose text sets several members of a configuration.
type textValue struct {
	form  string  // of the text
	bare  string  // the text of a flag without one, "" if it needs one
	given *string // the text, of a repeated flag all texts
	set   func(text string) (given string, err error)
}

func (v textValue) String() string { return *v.given }

func (v textValue) Type() string { return v.form }

func (v textValue) Set(text string) error {
	given, err := v.set(text)
	if err == nil {
		*v.given = given
	}
	return err
}

// textFlag returns the flag of the setting with that key that sets several members; set is nil for other settings.
func textFlag(key string, cfg *settings.Config) textValue {
	g, s, given := &cfg.Graph, &cfg.Search, new(string)
	switch key {
	case "graph.edges":
		return textValue{"FILE[,format=WORD]", "", given, func(text string) (string, error) {
			g.Edges = text
			if i := strings.LastIndex(text, ",format="); i >= 0 {
				g.Edges, g.Format = text[:i], text[i+len(",format="):]
			}
			if g.Edges == "" {
				return "", errors.New("name the file before the format, as in --edges=FILE,format=u64")
			}
			return text, nil
		}}
	case "search.power":
		*given = "false"
		return textValue{"TIME", "true", given, func(text string) (string, error) {
			d, err := time.ParseDuration(text)
			if s.Power = text != "false"; text == "true" || text == "false" {
				return text, nil
			}
			if s.PowerSeconds = int(d / time.Second); err != nil || d <= 0 || d%time.Second != 0 {
				return "", errors.New("whole seconds are needed, as in --power=10s")
			}
			return text, nil
		}}
	case "policy":
		return textValue{"KEY=VALUE", "", given, func(text string) (string, error) {
			changed, err := withThresholds(cfg.Policy, text)
			if err == nil {
				cfg.Policy = changed
			}
			return strings.TrimPrefix(*given+","+text, ","), err
		}}
	}
	return textValue{}
}

// withThresholds returns a policy with the thresholds KEY=VALUE,KEY=VALUE.
func withThresholds(p policy.Policy, text string) (policy.Policy, error) {
	for setting := range strings.SplitSeq(text, ",") {
		key, number, ok := strings.Cut(setting, "=")
		value, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if !ok || err != nil {
			return p, errors.New("a key and a whole number are needed, as in alpha=30")
		}
		if err := p.Set(strings.TrimSpace(key), value); err != nil {
			return p, err
		}
	}
	return p, nil
}

// over sets *bound, to which flags are bound, to base, and sets the flags of the command line again, which override it.
func over[T any](f *pflag.FlagSet, bound *T, base T) error {
	given := map[string]string{}
	f.Visit(func(flag *pflag.Flag) { given[flag.Name] = flag.Value.String() })
	*bound = base
	for name, value := range given {
		if err := f.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

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

// writeGauges replaces the file at once, so that the collector reads old or new figures. An empty path is no file.
func writeGauges(path string, write cli.Writer) error {
	if path == "" {
		return nil
	}
	if err := atomicfile.Write(path, write); err != nil {
		return fmt.Errorf("cannot write the file for Prometheus: %w", err)
	}
	return nil
}

// refuseIdleOfRun refuses flags of "g500 run" that have no effect with its other settings. A configuration file may
// have idle settings, so that it serves several machines.
func refuseIdleOfRun(f *pflag.FlagSet, cfg record.Config, opt runOptions) (err error) {
	if opt.print {
		err = onlyPrints(f, "print-config")
	}
	if opt.plan.on {
		err = onlyPrints(f, "plan")
	} else {
		err = cmp.Or(err, cli.RefuseIdle(f, "without --plan", "gpu-memory-gib", "host-memory-gib"))
	}
	if opt.json {
		err = cmp.Or(err, cli.RefuseIdle(f, "with --json, which prints no output block", "names"))
	}
	return cmp.Or(refuseIdleSettings(f, cfg), err)
}

// onlyPrints refuses flags that have no effect with a flag by which the command prints only.
func onlyPrints(f *pflag.FlagSet, name string) error {
	return cli.RefuseIdle(f, "with --"+name+", which runs nothing", "json", "quiet", "log-dir", "prometheus")
}

// refuseIdleSettings refuses settings of the command line that other settings or a launcher make idle.
func refuseIdleSettings(f *pflag.FlagSet, cfg record.Config) error {
	for _, s := range settings.Table {
		if why := s.Idle(&cfg); why != "" && f.Changed(s.Flag) {
			return cli.RefuseIdle(f, why, s.Flag)
		}
	}
	return refuseIdleRanks(f, cfg.Machine)
}

// refuseIdleRanks refuses another number of ranks than the number of tasks that a launcher has started.
func refuseIdleRanks(f *pflag.FlagSet, m settings.MachineConfig) error {
	l := comm.Launched()
	transport, _ := l.Choose(m.Transport, m.Ranks)
	joins := l.Name != "" && !l.AtLeast && transport.Tasks && l.Refusal() == nil
	if joins && l.Tasks != m.Ranks {
		return cli.RefuseIdle(f, fmt.Sprintf("under %s, which starts the ranks", l.Name), "ranks")
	}
	return nil
}

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
