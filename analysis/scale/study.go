// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"g500/configs"
	"g500/internal/infile"
	"g500/internal/lists"
	"g500/internal/output"
	"g500/internal/tomlfile"
	"g500/settings"
)

// Study is the settings of a scaling study. Scaling is strong if all units share a graph of one scale, and weak if each
// unit has a part of that scale, so that the graph grows with the units. Units are ranks, GPUs, nodes or cores.
type Study struct {
	Scaling string   `toml:"scaling"`         // strong or weak
	Scales  []int    `toml:"scales"`          // of the graph; at weak scaling, of one unit's part
	Ranks   []int    `toml:"ranks,omitempty"` // at weak scaling, powers of two, as the following
	GPUs    []int    `toml:"gpus,omitempty"`  // one rank per GPU
	Nodes   []int    `toml:"nodes,omitempty"` // with RanksPerNode ranks each
	Cores   []int    `toml:"cores,omitempty"` // threads of one rank
	Kernels []string `toml:"kernels"`         // bfs, sssp or both, one run each; none for the configuration's
	Repeats int      `toml:"repeats"`         // of each run
	Config  string   `toml:"config"`          // file in the study's folder, or a preset; "" for the defaults
	Flags   []string `toml:"flags"`           // of g500 run; they override the configuration

	// Threads is the number of threads of each rank in all runs, so that runs differ only in the ranks. 0: the cores
	// divided by the most ranks, but at least 1, unless a flag, the configuration or the launcher decides.
	Threads int `toml:"threads,omitempty"`

	// Launch is the command before g500 run that starts the ranks, such as mpirun -n {ranks}; {ranks}, {nodes} and {scale}
	// are replaced. Without it the ranks are goroutines of one process.
	Launch       []string          `toml:"launch"`
	RanksPerNode int               `toml:"ranks_per_node"` // for {nodes}
	Limit        settings.Duration `toml:"limit"`          // of one run, "" for none; longer runs are cut off

	configText string // of the configuration file
	configFrom string // its path, or the name of the preset
}

// maxRepeats bounds the memory of the plan.
const maxRepeats = 1000

// The kinds of scaling.
const (
	Strong = "strong"
	Weak   = "weak"
)

// The units that a study varies, by their settings.
const (
	Ranks = "ranks"
	GPUs  = "GPUs"
	Nodes = "nodes"
	Cores = "cores"
)

// Axis returns the units that the study varies.
func (s Study) Axis() string {
	switch {
	case len(s.GPUs) > 0:
		return GPUs
	case len(s.Nodes) > 0:
		return Nodes
	case len(s.Cores) > 0:
		return Cores
	}
	return Ranks
}

// Sizes returns the numbers of units, in ascending order.
func (s Study) Sizes() []int { return lists.Distinct(slices.Concat(s.Ranks, s.GPUs, s.Nodes, s.Cores)) }

// Has returns an error that names the first size that the study does not have.
func (s Study) Has(sizes []int) error {
	for _, units := range sizes {
		if !slices.Contains(s.Sizes(), units) {
			return fmt.Errorf("scale: the study has no size of %d %s: choose from %v", units, s.Axis(), s.Sizes())
		}
	}
	return nil
}

// ranks returns the number of ranks on that many units.
func (s Study) ranks(units int) int {
	switch s.Axis() {
	case Nodes:
		return units * s.RanksPerNode
	case Cores:
		return 1
	}
	return units
}

// Units returns the number of units of a run.
func (s Study) Units(ranks, threads int) int {
	switch s.Axis() {
	case Nodes:
		return s.NodesOf(ranks)
	case Cores:
		return ranks * threads
	}
	return ranks
}

// NodesOf returns the number of nodes of that many ranks: one without a launch, because they share a process.
func (s Study) NodesOf(ranks int) int {
	if len(s.Launch) == 0 {
		return 1
	}
	return (ranks + s.RanksPerNode - 1) / s.RanksPerNode
}

// Load reads a study, and the configuration that it names.
func Load(path string) (Study, error) {
	s := Study{Repeats: 1, RanksPerNode: 1}
	text, err := infile.Small(path, "the study", infile.Settings)
	if err != nil {
		return s, fmt.Errorf("scale: %w", err)
	}
	const hint = "the settings are scaling, scales, ranks, gpus, nodes, cores, kernels, repeats, config, flags, " +
		"threads, launch, ranks_per_node, limit"
	if err := tomlfile.Decode(path, string(text), &s, hint); err != nil {
		return s, fmt.Errorf("scale: %w", err)
	}
	if err := s.check(); err != nil {
		return s, fmt.Errorf("scale: %s: %w", path, err)
	}
	if s.Config != "" {
		s.configFrom = filepath.Join(filepath.Dir(path), s.Config)
		if s.configText, err = configs.Text(s.configFrom, s.Config); err != nil {
			return s, fmt.Errorf("scale: %s: %w", path, err)
		}
		if info, err := os.Stat(s.configFrom); err != nil || info.IsDir() {
			s.configFrom = s.Config // a preset
		}
	}
	return s, nil
}

// ours are the flags of g500 run that the study sets.
var ours = []string{"--scale", "--ranks", "--output", "--config", "--resume"}

// Flags of g500 run that the study may set.
const (
	threadsFlag = "--threads"
	engineFlag  = "--engine"
)

// fixedThreads returns the threads per rank for a machine with this number of cores, 0 if the runs decide. A launcher
// may use other machines, and bind ranks to cores.
func (s Study) fixedThreads(cores int) int {
	if cores == 0 || s.SetsThreads() || len(s.Launch) > 0 {
		return s.Threads
	}
	return min(max(cores/s.ranks(slices.Max(s.Sizes())), 1), settings.MaxThreads)
}

// SetsThreads reports whether the study, its flags or its configuration set the threads of a rank.
func (s Study) SetsThreads() bool {
	set := slices.ContainsFunc(s.Flags, func(flag string) bool {
		name, _, _ := strings.Cut(flag, "=")
		return name == threadsFlag
	})
	config, err := settings.Parse(s.Config, s.configText) // of an error, the runs inform
	return s.Threads > 0 || s.Axis() == Cores || set || err == nil && config.Machine.Threads > 0
}

// check returns an error that names the first invalid setting.
func (s Study) check() error {
	for _, flag := range s.Flags {
		switch name, _, _ := strings.Cut(flag, "="); {
		case slices.Contains(ours, name):
			return fmt.Errorf("flags must not have %s, which the study sets itself", name)
		case name == threadsFlag && s.Threads+len(s.Cores) > 0:
			return errors.New("flags must not have --threads if the study names threads or cores")
		case name == engineFlag && len(s.GPUs) > 0:
			return errors.New("flags must not have --engine if the study names gpus, which selects engine gpu")
		case name == "--kernel" && len(s.Kernels) > 0:
			return errors.New("flags must not have --kernel if the study names kernels")
		}
	}
	for _, kernel := range s.Kernels {
		if all := settings.Of("search.kernel").Values; !slices.Contains(all, kernel) {
			return fmt.Errorf("kernels has %q: each must be %s", kernel, output.List(all, "or"))
		}
	}
	if err := s.checkSizes(); err != nil {
		return err
	}
	switch {
	case s.Scaling != Strong && s.Scaling != Weak:
		return fmt.Errorf("scaling = %q: it must be strong or weak", s.Scaling)
	case len(s.Scales) == 0:
		return errors.New("scales must have at least one number, as in scales = [20, 22]")
	case slices.Min(s.Scales) < 1:
		return fmt.Errorf("scales = %d: it must be 1 at least", slices.Min(s.Scales))
	case s.Repeats < 1, s.Repeats > maxRepeats:
		return fmt.Errorf("repeats = %d: it must be from 1 to %d", s.Repeats, maxRepeats)
	case s.Threads < 0, s.Threads > settings.MaxThreads:
		return fmt.Errorf("threads = %d: it must be from 1 to %d, or 0 for the cores divided by the most ranks",
			s.Threads, settings.MaxThreads)
	case s.RanksPerNode < 1:
		return fmt.Errorf("ranks_per_node = %d: it must be 1 at least", s.RanksPerNode)
	case s.Limit < 0:
		return fmt.Errorf("limit = %q: it must be above 0", s.Limit)
	case len(s.Launch) == 0 && s.RanksPerNode > 1:
		return errors.New("ranks_per_node has no effect without launch: add launch")
	case len(s.Launch) > 0 && !strings.Contains(strings.Join(s.Launch, " "), "{ranks}"):
		return errors.New("launch must have {ranks} for the number of ranks")
	}
	return nil
}

// checkSizes returns an error that names the first invalid number of units.
func (s Study) checkSizes() error {
	axis, name := s.Axis(), strings.ToLower(s.Axis())
	axes := 0
	for _, sizes := range [][]int{s.Ranks, s.GPUs, s.Nodes, s.Cores} {
		axes += min(len(sizes), 1)
	}
	switch axes {
	case 0:
		return errors.New("ranks must have at least one number, as in ranks = [1, 2, 4], or, in its place, " +
			"gpus, nodes or cores")
	case 1:
	default:
		return errors.New("ranks, gpus, nodes and cores exclude each other: a study varies one of them")
	}
	for _, units := range s.Sizes() {
		switch {
		case units < 1:
			return fmt.Errorf("%s = %d: it must be 1 at least", name, units)
		case s.Scaling == Weak && bits.OnesCount(uint(units)) != 1:
			return fmt.Errorf("%s = %d: weak scaling needs powers of two, as scales are", name, units)
		case axis == Cores && units > settings.MaxThreads:
			return fmt.Errorf("cores = %d: it must be %d at most", units, settings.MaxThreads)
		case axis == Nodes && len(s.Launch) == 0:
			return errors.New("nodes have no effect without launch: add launch")
		}
	}
	if axis == Cores && s.Threads > 0 {
		return errors.New("threads and cores exclude each other: cores are the threads of one rank")
	}
	return nil
}
