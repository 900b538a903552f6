// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/pflag"

	"g500/cmd/cli"
	"g500/comm"
	"g500/record"
	"g500/settings"
)

// idleFlag is a flag that may have no effect.
type idleFlag struct {
	name string
	idle bool   // it has no effect on this command line
	why  string // ends the sentence "--name has no effect ..."
}

// refuseIdle returns a misuse error for the first idle flag of the command line. A configuration file may have idle
// settings, so that it serves several machines. f is nil if there is no command line.
func refuseIdle(f *pflag.FlagSet, flags ...idleFlag) error {
	for _, flag := range flags {
		if flag.idle {
			if err := cli.RefuseIdle(f, flag.name, flag.why); err != nil {
				return err
			}
		}
	}
	return nil
}

// refuseIdleOfRun refuses flags of "g500 run" that have no effect with its other settings.
func refuseIdleOfRun(f *pflag.FlagSet, cfg record.Config, opt runOptions) error {
	only, onlyPrints := opt.print || opt.plan.on, "with --print-config, which runs nothing"
	if opt.plan.on {
		onlyPrints = "with --plan, which runs nothing"
	}
	return cmp.Or(refuseIdleSettings(f, cfg), refuseIdle(f,
		idleFlag{"json", only, onlyPrints},
		idleFlag{"quiet", only, onlyPrints},
		idleFlag{"log-dir", only, onlyPrints},
		idleFlag{"prometheus", only, onlyPrints},
		idleFlag{"gpu-memory-gib", !opt.plan.on, "without --plan"},
		idleFlag{"host-memory-gib", !opt.plan.on, "without --plan"},
		idleFlag{"names", opt.json, "with --json, which prints no output block"},
	))
}

// refuseIdleSettings refuses settings of the command line that other settings or a launcher make idle.
func refuseIdleSettings(f *pflag.FlagSet, cfg record.Config) error {
	for _, s := range settings.Table {
		if why := s.Idle(&cfg); why != "" && f.Changed(s.Flag) {
			return refuseIdle(f, idleFlag{s.Flag, true, why})
		}
	}
	return refuseIdleRanks(f, cfg.Machine)
}

// refuseIdleRanks refuses another number of ranks than the number of tasks that a launcher has started.
func refuseIdleRanks(f *pflag.FlagSet, m settings.MachineConfig) error {
	l := comm.Launched()
	transport, _ := l.Choose(m.Transport, m.Ranks)
	joins := l.Name != "" && !l.AtLeast && transport.Tasks && l.Refusal() == nil
	return refuseIdle(f, idleFlag{"ranks", joins && l.Tasks != m.Ranks,
		fmt.Sprintf("under %s, which starts the ranks", l.Name)})
}
