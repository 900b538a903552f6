// SPDX-License-Identifier: Apache-2.0

package study

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"g500/graph/formats"
	"g500/internal/infile"
	"g500/internal/lists"
	"g500/internal/tomlfile"
	"g500/lab"
)

// Study is a set of measurements, and the claims of a paper about them.
type Study struct {
	Name       string   `toml:"-" json:"name"` // of its file, without the extension
	Paper      string   `toml:"paper" json:"paper"`
	Kind       string   `toml:"kind" json:"kind,omitempty"`             // BFS or Color
	Strategies []string `toml:"strategies" json:"strategies"`           // in the form of lab.Choose or color.Choose
	Sources    int      `toml:"sources" json:"sources"`                 // searches by each strategy on each graph
	Seed       uint64   `toml:"seed" json:"seed"`                       // of the sources
	Seconds    float64  `toml:"seconds" json:"seconds,omitempty"`       // for a strategy on a graph, after leastRounds
	Runs       int      `toml:"runs" json:"runs,omitempty"`             // colourings of each graph by each algorithm
	Factor     float64  `toml:"factor" json:"factor"`                   // tolerance of a single published number
	Narrow     float64  `toml:"narrow" json:"narrow,omitempty"`         // upper by lower end of an interval that is enough
	Pairs      []string `toml:"pairs" json:"pairs,omitempty"`           // strategies that are measured twice
	OtherLoad  float64  `toml:"other_load" json:"other_load,omitempty"` // most for verdicts on rates, of all cores
	Graphs     []Graph  `toml:"graph" json:"graphs"`
	Claims     []Claim  `toml:"claim" json:"claims"`
	Size       string   `toml:"-" json:"size,omitempty"` // Small, or "" for the sizes of Graphs

	Table string              `toml:"graphs" json:"-"` // of graphs/tables.toml, whose graphs come before Graphs
	Lists map[string][]string `toml:"lists" json:"-"`  // of strategies, by names that strategies of graphs may have

	Own     string   `toml:"strategies_file" json:"strategies_file,omitempty"` // for lab.ReadTable
	Times   []string `toml:"times" json:"times,omitempty"`                     // files for lab.ReadTimes
	Plugins []string `toml:"plugins" json:"plugins,omitempty"`                 // paths of shared libraries, as of --plugin

	table lab.Strategies // with Own
	times []*lab.Times
	added []lab.Strategy // of plugins: of machines or, without such a machine, of Plugins
}

// Graph is a graph to search or to colour.
type Graph struct {
	Name       string   `toml:"name" json:"name"`
	Spec       string   `toml:"spec" json:"spec"`
	Family     string   `toml:"family" json:"family,omitempty"`         // as in Claim.Families
	Stands     string   `toml:"stands_for" json:"stands_for,omitempty"` // the similar graph of the paper
	Collection string   `toml:"collection" json:"collection,omitempty"` // of the file, if users provide it: see FindFiles
	Strategies []string `toml:"strategies" json:"strategies,omitempty"` // empty for the strategies of the study
	Seen       string   `toml:"-" json:"seen,omitempty"`                // length and checksum of the file of a collection
}

//go:embed *.toml
var shipped embed.FS

//go:embed graphs/tables.toml
var graphTables string

// Names returns the studies that are part of the program.
func Names() []string {
	files, _ := fs.Glob(shipped, "*.toml") // without an error, since the pattern is right
	return lists.Of(files, func(file string) string { return strings.TrimSuffix(file, ".toml") })
}

// isShipped reports whether the study has the name of one that is part of the program.
func (s Study) isShipped() bool { return slices.Contains(Names(), s.Name) }

// Load reads a study: the name of one that is part of the program, or a file.
func Load(name string) (Study, error) {
	text, err := shipped.ReadFile(name + ".toml")
	if err != nil {
		if text, err = infile.Small(name, "the study", infile.Settings); err != nil {
			return Study{}, fmt.Errorf("study: %s is not one of %s, and cannot be read as a file: %w", name,
				strings.Join(Names(), ", "), err)
		}
	}
	s, err := parse(name, string(text))
	if err != nil {
		return s, fmt.Errorf("study: %w", err)
	}
	s.Name = strings.TrimSuffix(filepath.Base(name), ".toml")
	return s, nil
}

// parse reads a study from the text of the file path, with other files next to it. An error names the file and the
// first wrong setting.
func parse(path, text string) (Study, error) {
	const unset = math.MinInt
	s := Study{Kind: BFS, Factor: 1.25, Narrow: 1.05, OtherLoad: 0.1, Sources: unset, Seed: 2, Runs: unset,
		table: lab.Table()}
	if err := tomlfile.Decode(path, text, &s, "lab/study/merrill.toml has all settings"); err != nil {
		return s, err
	}
	err := s.addGraphs()
	infile.CleanFields(&s)
	sources, runs := 2*leastRounds, 0
	if s.Kind != BFS {
		s.Seed, sources, runs = 0, runs, sources
	}
	if s.Sources == unset {
		s.Sources = sources
	}
	if s.Runs == unset {
		s.Runs = runs
	}
	if err == nil {
		err = s.readFiles(filepath.Dir(path))
	}
	if err == nil {
		err = s.check()
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// addGraphs adds the graphs of the table, and puts the strategies of lists in place of the lists' names.
func (s *Study) addGraphs() error {
	var tables map[string][]Graph
	if err := tomlfile.Decode("graphs/tables.toml", graphTables, &tables, ""); err != nil {
		return err
	}
	if _, known := tables[s.Table]; s.Table != "" && !known {
		return fmt.Errorf("graphs = %q is no table: choose one of %s", s.Table,
			strings.Join(slices.Sorted(maps.Keys(tables)), "; "))
	}
	s.Graphs = append(tables[s.Table], s.Graphs...)
	for i, g := range s.Graphs {
		var all []string
		for _, name := range g.Strategies {
			if list, named := s.Lists[name]; named {
				all = append(all, list...)
			} else {
				all = append(all, name)
			}
		}
		s.Graphs[i].Strategies = all
	}
	return nil
}

// readFiles reads the files that a study names, relative to a folder.
func (s *Study) readFiles(dir string) (err error) {
	in := func(name string) string {
		if filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(dir, name)
	}
	if s.Kind != BFS && (s.Own != "" || len(s.Times)+len(s.Plugins) > 0) {
		return errors.New("strategies_file, times and plugins have no effect on colourings: leave them out")
	}
	if s.Own != "" {
		if s.table, err = lab.ReadTable(in(s.Own)); err != nil {
			return err
		}
	}
	for _, name := range s.Times {
		times, err := lab.ReadTimes(in(name))
		if err != nil {
			return err
		}
		s.times = append(s.times, times)
	}
	for i, name := range s.Plugins {
		s.Plugins[i] = in(name)
	}
	s.added, err = lab.PluginsOf(s.Plugins...)
	return err
}

// check returns the first fault of a study. It chooses the first strategy as the pair of a study without one.
func (s *Study) check() error {
	if _, known := kinds[s.Kind]; !known {
		return fmt.Errorf("kind = %q is unknown: choose %s or %s", s.Kind, BFS, Color)
	}
	chosen, err := s.choose(strings.Join(s.Strategies, ","))
	switch {
	case s.Paper == "":
		return errors.New("name the paper, as in paper = \"Merrill, Garland, Grimshaw, PPoPP 2012\"")
	case err != nil:
		return err
	case s.Kind == BFS && (s.Sources < 1 || s.Runs != 0):
		return fmt.Errorf("sources = %d, runs = %d: choose 1 or more sources for searches, and no runs", s.Sources, s.Runs)
	case s.Kind == Color && (s.Runs < 1 || s.Sources != 0):
		return fmt.Errorf("runs = %d, sources = %d: choose 1 or more runs for colourings, and no sources", s.Runs, s.Sources)
	case s.Seconds < 0:
		return fmt.Errorf("seconds = %g: choose 0 (no limit) or more", s.Seconds)
	case s.Factor < 1 || s.Narrow < 1:
		return fmt.Errorf("factor = %g, narrow = %g: choose 1 or more", s.Factor, s.Narrow)
	case s.OtherLoad < 0 || s.OtherLoad > 1:
		return fmt.Errorf("other_load = %g: choose a share of the cores, from 0 to 1", s.OtherLoad)
	case len(s.Graphs) == 0:
		return errors.New("there is no graph: add a [[graph]] with a name and a spec")
	}
	seen := map[string]bool{resultName: true}
	for _, g := range s.Graphs {
		if !lab.ProperName.MatchString(g.Name) || seen[g.Name] || g.Spec == "" {
			return fmt.Errorf("a graph has the name %q and the spec %q: give each a spec, and a unique name "+
				"of small letters, digits and hyphens, other than %s", g.Name, g.Spec, resultName)
		}
		if g.Collection != "" && !strings.HasPrefix(g.Spec, filePrefix) {
			return fmt.Errorf("graph %s of %s: its spec is not %sNAME", g.Name, g.Collection, filePrefix)
		}
		seen[g.Name] = true
		if _, err := formats.Parse(g.Spec); err != nil {
			return fmt.Errorf("graph %s: %w", g.Name, err)
		}
		if _, err := s.choose(s.namesOn(g)); err != nil {
			return err
		}
	}
	if len(s.Pairs) == 0 && len(chosen) > 0 {
		s.Pairs = []string{chosen[0].Name}
	}
	for _, name := range s.Pairs {
		if !slices.Contains(lab.Strategies(chosen).Names(), name) {
			return fmt.Errorf("pairs has %q, which is none of the strategies: add it to them", name)
		}
	}
	for i, c := range s.Claims {
		if err := c.check(chosen, s.graphNames()); err != nil {
			return fmt.Errorf("claim %d: %w", i+1, err)
		}
	}
	return nil
}

func (s Study) choose(names string) ([]lab.Strategy, error) { return kinds[s.Kind].choose(s, names) }

// namesOn returns the list of the strategies for a graph.
func (s Study) namesOn(g Graph) string {
	return cmp.Or(strings.Join(g.Strategies, ","), strings.Join(s.Strategies, ","))
}

func (s Study) graphNames() []string {
	return lists.Of(s.Graphs, func(g Graph) string { return g.Name })
}
