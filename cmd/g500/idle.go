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

// refuseIdleOfRun refuses flags of "g500 run" that have no effect with its other settings. A configuration file may have
// idle settings, so that it serves several machines.
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
