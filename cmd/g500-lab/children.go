// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"g500/cmd/cli"
	"g500/lab"
)

// emulatedEngine is the value of --engine for a GPU that is emulated on the CPU, with counts in place of times.
const emulatedEngine = "emulated"

// searchEngines are the values of --engine of commands that search.
var searchEngines = append(slices.Clone(engines), emulatedEngine)

// The programs of child processes, for a GPU and in the emulator. Tests replace the second one.
var (
	childProgram    = cli.GPUProgram{Name: "g500-lab-child-cuda", Make: "make lab CUDA=1"}
	emulatedProgram = cli.GPUProgram{Name: "g500-lab-child-emulated", Make: "make lab-emulated"}
)

// childrenTo adds the flags of plugins, and --engine emulated.
func (o *options) childrenTo(f *pflag.FlagSet) {
	f.StringSliceVar(&o.plugins, "plugin", nil, "search also by these shared libraries with a function g500_plugin_search")
	f.IntVar(&o.pluginSeconds, "plugin-seconds", 60, "end a plugin whose search takes longer than this many seconds")
	o.emulation = ", or choose --engine " + emulatedEngine
	f.Lookup("engine").Usage = "use: auto (a GPU if there is one, and the CPU), gpu, cpu or emulated (counts)"
}

// checkPlugins checks that plugins have a GPU.
func (o *options) checkPlugins(f *pflag.FlagSet) {
	if len(o.plugins) > 0 && o.engine != emulatedEngine {
		o.needGPU(f, "plugin", "")
	}
}

// openChildren returns the emulated GPU, if it is the engine, then a machine for each plugin. gpu is the name of the
// GPU, "" for none: then the plugins of a study's file are left out.
func (o *options) openChildren(gpu string) (all []lab.Machine, err error) {
	if _, err := lab.PluginsOf(o.plugins...); err != nil {
		return nil, cli.Misuse(err)
	}
	program, child := childProgram, lab.Child{On: gpu, Output: os.Stderr}
	if o.engine == emulatedEngine {
		program, child.On, child.Untimed = emulatedProgram, "an emulated GPU", true
	} else if len(o.plugins) == 0 || gpu == "" {
		return nil, nil
	}
	if child.Program, err = program.Path(); err != nil {
		return nil, cli.Misuse(fmt.Errorf("this build has no program %s: build it with %s", program.Name, program.Make))
	}
	if child.Untimed {
		strategies := child
		all = append(all, &strategies)
	}
	child.Limit = time.Duration(o.pluginSeconds) * time.Second
	for _, path := range o.plugins {
		plugin, err := child.NewPlugin(path)
		if err != nil {
			return nil, cli.Misuse(err)
		}
		all = append(all, plugin)
	}
	return all, nil
}
