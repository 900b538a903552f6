package study

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"g500/lab"
)

// Study is what is measured, and what a paper says of it.
type Study struct {
	Name       string   `toml:"-" json:"name"` // of its file, without the ending
	Paper      string   `toml:"paper" json:"paper"`
	Strategies []string `toml:"strategies" json:"strategies"` // as lab.Choose takes them
	Sources    int      `toml:"sources" json:"sources"`       // of searches by each strategy on each graph
	Seed       uint64   `toml:"seed" json:"seed"`             // of the sources
	Factor     float64  `toml:"factor" json:"factor"`         // within which a figure is the published one
	Graphs     []Graph  `toml:"graph" json:"graphs"`
	Claims     []Claim  `toml:"claim" json:"claims"`
}

// Graph is what is searched.
type Graph struct {
	Name   string `toml:"name" json:"name"`
	Spec   string `toml:"spec" json:"spec"`
	Stands string `toml:"stands_for" json:"stands_for,omitempty"` // a graph of the paper's that is like it

	Strategies []string `toml:"strategies" json:"strategies,omitempty"` // on this graph; none for those of the study
}

//go:embed *.toml
var shipped embed.FS

// Names are the studies that are part of the program.
func Names() (names []string) {
	files, err := fs.Glob(shipped, "*.toml")
	if err != nil {
		panic(err) // of our own pattern
	}
	for _, file := range files {
		names = append(names, strings.TrimSuffix(file, ".toml"))
	}
	return names
}

// Load reads a study: one that is part of the program, by its name, or a file.
func Load(name string) (Study, error) {
	text, err := shipped.ReadFile(name + ".toml")
	if err != nil {
		if text, err = os.ReadFile(name); err != nil {
			return Study{}, fmt.Errorf("study: %s is none of %s, and cannot be read as a file: %w", name,
				strings.Join(Names(), ", "), err)
		}
	}
	s, err := parse(string(text))
	if err != nil {
		return s, fmt.Errorf("study: %s: %w", name, err)
	}
	s.Name = strings.TrimSuffix(filepath.Base(name), ".toml")
	return s, nil
}

// parse reads a study, and names the first setting that cannot be.
func parse(text string) (Study, error) {
	s := Study{Sources: 8, Seed: 2, Factor: 1.25}
	meta, err := toml.Decode(text, &s)
	var syntax toml.ParseError
	if errors.As(err, &syntax) {
		return s, fmt.Errorf("line %d: %s", syntax.Position.Line, syntax.Message)
	}
	if err != nil {
		return s, err
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return s, fmt.Errorf("there is no setting %q: see lab/study/merrill.toml, which has all that there are", unknown[0])
	}
	return s, s.check()
}

// fileName is what the name of a graph may be, which is that of a file too.
var fileName = regexp.MustCompile(`^[a-z0-9-]+$`)

func (s Study) check() error {
	chosen, err := choose(s.Strategies)
	switch {
	case s.Paper == "":
		return errors.New("name the paper, as in paper = \"Merrill, Garland, Grimshaw, PPoPP 2012\"")
	case err != nil:
		return err
	case s.Sources < 1:
		return fmt.Errorf("sources = %d: choose 1 or more", s.Sources)
	case s.Factor < 1:
		return fmt.Errorf("factor = %g: choose 1 or more", s.Factor)
	case len(s.Graphs) == 0:
		return errors.New("there is no graph: add a [[graph]] with a name and a spec")
	}
	seen := map[string]bool{resultName: true}
	for _, g := range s.Graphs {
		if !fileName.MatchString(g.Name) || seen[g.Name] || g.Spec == "" {
			return fmt.Errorf("a graph has the name %q and the spec %q: give each a spec, and a name of its own "+
				"of small letters, digits and hyphens, other than %s", g.Name, g.Spec, resultName)
		}
		seen[g.Name] = true
		if _, err := s.on(g); err != nil {
			return err
		}
	}
	for i, c := range s.Claims {
		if err := c.check(chosen, s.graphNames()); err != nil {
			return fmt.Errorf("claim %d: %w", i+1, err)
		}
	}
	return nil
}

// on are the strategies that search a graph.
func (s Study) on(g Graph) ([]lab.Strategy, error) {
	if len(g.Strategies) > 0 {
		return choose(g.Strategies)
	}
	return choose(s.Strategies)
}

func choose(names []string) ([]lab.Strategy, error) { return lab.Choose(strings.Join(names, ",")) }

func (s Study) graphNames() (names []string) {
	for _, g := range s.Graphs {
		names = append(names, g.Name)
	}
	return names
}

// unknown is the first of some names that is not among all.
func unknown(names, all []string) (string, bool) {
	i := slices.IndexFunc(names, func(name string) bool { return !slices.Contains(all, name) })
	if i < 0 {
		return "", false
	}
	return names[i], true
}
