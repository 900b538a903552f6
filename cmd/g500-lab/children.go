// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"

	"g500/cmd/cli"
	"g500/lab"
)

// The programs of child processes, for a GPU and in the emulator. Tests replace the second one.
var (
	childProgram    = cli.GPUProgram{Name: "g500-lab-child-cuda", Make: "make lab CUDA=1"}
	emulatedProgram = cli.GPUProgram{Name: "g500-lab-child-emulated", Make: "make lab-emulated"}
)

// pluginsTo adds the flags of plugins.
func (o *options) pluginsTo(f *pflag.FlagSet) {
	f.StringSliceVar(&o.plugins, "plugin", nil, "search also by these shared libraries with a function g500_plugin_search")
	f.IntVar(&o.pluginSeconds, "plugin-seconds", 60, "end a plugin whose search takes longer than this many seconds")
}

// checkPlugins checks that plugins have a GPU.
func (o *options) checkPlugins(f *pflag.FlagSet) {
	if len(o.plugins) > 0 && o.engine != emulatedEngine {
		o.needGPU(f, "plugin", "")
	}
}

// child returns a machine in a child process, on a GPU or, if it is the engine, the emulated one; nil without both.
func (s session) child() (*lab.Child, error) {
	program, child := childProgram, lab.Child{On: s.gpu, Output: os.Stderr}
	if s.asked.engine == emulatedEngine {
		program, child.On, child.Untimed = emulatedProgram, "an emulated GPU", true
	}
	if child.On == "" {
		return nil, nil
	}
	path, err := program.Path()
	if err != nil {
		return nil, cli.Misuse(fmt.Errorf("this build has no program %s: build it with %s", program.Name, program.Make))
	}
	child.Program = path
	return &child, nil
}

// openChildren returns the emulated GPU, if it is the engine, then a machine for each plugin. Without a GPU the plugins
// of a study's file are left out.
func (s session) openChildren() (all []lab.Machine, err error) {
	plugins := s.asked.plugins
	if _, err := lab.PluginsOf(plugins...); err != nil {
		return nil, cli.Misuse(err)
	}
	if len(plugins) == 0 && s.gpu != "" {
		return nil, nil
	}
	child, err := s.child()
	if child == nil {
		return nil, err
	}
	if child.Untimed {
		all = append(all, child)
	}
	for _, path := range plugins {
		plugin, err := child.NewPlugin(path, time.Duration(s.asked.pluginSeconds)*time.Second)
		if err != nil {
			return nil, cli.Misuse(err)
		}
		all = append(all, plugin)
	}
	return all, nil
}
