package main

import (
	"cmp"

	"github.com/spf13/pflag"
)

// oldFlags are the present names of flags, by the names that older versions had. Old names are read, but help, manual
// pages and completion do not show them.
var oldFlags = map[string]string{
	"carrier":        "gpu-transport",
	"hosts":          "emulate-nodes",
	"out":            "output",
	"print-profile":  "print-machine",
	"profile":        "machine",
	"ranks-per-host": "ranks-per-node",
	"sync":           "kernel-times",
	"tuples":         "edge-memory",
}

// presentName returns the present name of a flag.
func presentName(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	return pflag.NormalizedName(cmp.Or(oldFlags[name], name))
}

// engineFlag is a flag that names an engine.
type engineFlag struct{ pflag.Value }

func (e engineFlag) Set(name string) error {
	if name == "hybrid" {
		name = cpuEngine
	}
	return e.Value.Set(name)
}
