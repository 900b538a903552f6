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
	Kind       string   `toml:"kind" json:"kind,omitempty"`   // BFS or Color
	Strategies []string `toml:"strategies" json:"strategies"` // as lab.Choose, or color.Choose, takes them
	Sources    int      `toml:"sources" json:"sources"`       // of searches by each strategy on each graph
	Seed       uint64   `toml:"seed" json:"seed"`             // of the sources
	Runs       int      `toml:"runs" json:"runs,omitempty"`   // colourings by each algorithm of each graph
	Factor     float64  `toml:"factor" json:"factor"`         // within which a figure is the published one
	Graphs     []Graph  `toml:"graph" json:"graphs"`
	Claims     []Claim  `toml:"claim" json:"claims"`
}

// Graph is what is searched or coloured.
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
	s := Study{Kind: BFS, Factor: 1.25}
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
	if s.Kind == BFS {
		setDefaults(meta, map[string]func(){"sources": func() { s.Sources = 8 }, "seed": func() { s.Seed = 2 }})
	} else {
		setDefaults(meta, map[string]func(){"runs": func() { s.Runs = 10 }})
	}
	return s, s.check()
}

// setDefaults sets what a file leaves out.
func setDefaults(meta toml.MetaData, set map[string]func()) {
	for key, to := range set {
		if !meta.IsDefined(key) {
			to()
		}
	}
}

// fileName is what the name of a graph may be, which is that of a file too.
var fileName = regexp.MustCompile(`^[a-z0-9-]+$`)

func (s Study) check() error {
	if _, known := kinds[s.Kind]; !known {
		return fmt.Errorf("kind = %q is none: choose %s or %s", s.Kind, BFS, Color)
	}
	chosen, err := s.choose(s.Strategies)
	switch {
	case s.Paper == "":
		return errors.New("name the paper, as in paper = \"Merrill, Garland, Grimshaw, PPoPP 2012\"")
	case err != nil:
		return err
	case s.Kind == BFS && (s.Sources < 1 || s.Runs != 0):
		return fmt.Errorf("sources = %d, runs = %d: choose 1 or more sources for searches, and no runs", s.Sources, s.Runs)
	case s.Kind == Color && (s.Runs < 1 || s.Sources != 0):
		return fmt.Errorf("runs = %d, sources = %d: choose 1 or more runs for colourings, and no sources", s.Runs, s.Sources)
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

func (s Study) choose(names []string) ([]lab.Strategy, error) { return kinds[s.Kind].choose(names) }

// on are the strategies that a graph is measured with.
func (s Study) on(g Graph) ([]lab.Strategy, error) { return s.choose(s.namesOn(g)) }

func (s Study) namesOn(g Graph) []string {
	if len(g.Strategies) > 0 {
		return g.Strategies
	}
	return s.Strategies
}

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
