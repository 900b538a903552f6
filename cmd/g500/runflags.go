package main

import (
	"time"

	"github.com/spf13/pflag"

	"g500/record"
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

	waitForSilent bool // wait for ranks that do not answer
}

// runFlags adds the flags of "g500 run", which set cfg and opt.
func runFlags(f *pflag.FlagSet, cfg *record.Config, opt *runOptions) {
	f.StringVar(&opt.config, "config", "", "read settings from this TOML file, or from the preset of this name")
	graphFlags(f, &cfg.Graph)
	f.StringVar(&cfg.Graph.Edges, "edges", "", edgesHelp)
	f.StringVar(&cfg.Graph.Spec, "graph", "",
		"search this graph instead of the official one, as road:1000x1000 or file:PATH")
	searchFlags(f, &cfg.Search)
	policyFlag(f, &cfg.Policy)
	machineFlags(f, &cfg.Machine)
	f.IntVar(&cfg.Machine.EmulateNodes, "emulate-nodes", cfg.Machine.EmulateNodes, emulateNodesHelp)
	f.StringVar(&cfg.Machine.GPUTransport, "gpu-transport", cfg.Machine.GPUTransport, gpuTransportHelp)
	f.StringVar(&cfg.Machine.EdgeMemory, "edge-memory", cfg.Machine.EdgeMemory,
		"store edge tuples of GPU runs in: auto (host if they do not fit), device, host")
	f.StringVar(&cfg.Output.Dir, "output", "", "write results to this folder after each search")
	f.BoolVar(&cfg.Output.Trees, "trees", false, "store the result of each search in DIR/trees: parents and distances")
	f.StringVar(&cfg.Output.Names, "names", cfg.Output.Names,
		"use the names of the reference code (official) or the specification (spec)")
	f.StringVar(&opt.resume, "resume", "", "resume the interrupted run in this output folder")
	f.StringVar(&opt.logDir, "log-dir", "", "write one log file per rank to this folder")
	f.BoolVar(&opt.waitForSilent, "wait-for-silent", false,
		"wait for ranks that do not answer, as in a debugger, instead of ending the run")
	prometheusFlag(f, &opt.gauges)
	f.BoolVar(&opt.print, "print-config", false, "print the settings as a file for --config and exit")
	planFlags(f, &opt.plan)
	f.BoolVar(&opt.json, "json", false, "print run.json instead of the output block")
	f.BoolVar(&opt.quiet, "quiet", false, "print only the output block, notes and the verdict")
}

// searchFlags adds the flags of the searches.
func searchFlags(f *pflag.FlagSet, s *record.SearchConfig) {
	f.StringVar(&s.Engine, "engine", s.Engine,
		"search with: auto (gpu if every rank has one, else cpu), gpu, cpu or topdown")
	f.Lookup("engine").Value = engineFlag{f.Lookup("engine").Value}
	f.StringVar(&s.Kernel, "kernel", s.Kernel, "run kernel bfs (kernel 2), sssp (kernel 3, shortest paths) or both")
	f.StringVar(&s.Prune, "prune", s.Prune,
		"drop edges that are on no shortest path: none, or hub (by distances from a hub)")
	f.IntVar(&s.Keys, "keys", s.Keys, "search from this many keys; 64 for a submission")
	f.StringVar(&s.Roots, "roots", "", "search from the vertices in this file, one per line, instead of drawn keys")
	f.DurationVar((*time.Duration)(&s.MinTime), "min-time", 0,
		"repeat the searches from all keys until they have taken this long, as 90s")
	f.BoolVar(&s.Validate, "validate", s.Validate, "validate every tree by the specification's rules")
	f.BoolVar(&s.Trace, "trace", s.Trace, "print statistics of each level of each search (engines gpu and cpu)")
	f.BoolVar(&s.KernelTimes, "kernel-times", s.KernelTimes,
		"time each GPU kernel, which slows searches, and print the times at the end")
	f.BoolVar(&s.Power, "power", s.Power, "measure the power of the devices in further searches from all keys")
	f.IntVar(&s.PowerSeconds, "power-seconds", s.PowerSeconds, "measure power for at least this many seconds")
	f.StringVar(&s.Exchange, "exchange", s.Exchange, "exchange the frontier between GPUs by: auto, bitmap or bins")
	f.IntVar(&s.ResultBits, "result-bits", s.ResultBits,
		"store parents in 64 bits, or on GPUs in 32 bits for comparison")
}
