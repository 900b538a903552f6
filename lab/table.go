// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"g500/internal/infile"
	"g500/internal/lists"
	"g500/internal/nearest"
)

//go:embed strategies.toml
var tableText string

// Strategies is a table of strategies.
type Strategies []Strategy

// Table returns the strategies of the program, in the order of strategies.toml.
var Table = sync.OnceValue(func() Strategies {
	all, err := Strategies(nil).with(tableText)
	if err != nil {
		panic(err) // the table is part of the program, and a test reads it
	}
	return all
})

// ReadTable returns the strategies of the program and, unless path is "", of a file in the form of strategies.toml.
func ReadTable(path string) (Strategies, error) {
	if path == "" {
		return Table(), nil
	}
	text, err := infile.Small(path, "the strategies", infile.Settings)
	if err != nil {
		return nil, fmt.Errorf("lab: %w", err)
	}
	all, err := Table().with(string(text))
	if err != nil {
		return nil, fmt.Errorf("lab: %s: %w", path, err)
	}
	return all, nil
}

// NotPublished is the paper of strategies that name none.
const NotPublished = "not published"

// ProperName matches the names of strategies, and of graphs and their files.
var ProperName = regexp.MustCompile(`^[a-z0-9-]+$`)

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// ToName returns a text as a name.
func ToName(text string) string { return notInNames.ReplaceAllString(strings.ToLower(text), "-") }

// with returns the table with the rows of a text after its own. An error names the first wrong row.
func (all Strategies) with(text string) (Strategies, error) {
	all = slices.Clip(all)
	var rows map[string]map[string]any
	meta, err := toml.Decode(text, &rows)
	var syntax toml.ParseError
	switch {
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("line %d: %s", syntax.Position.Line, syntax.Message)
	case err != nil:
		return nil, err
	}
	for _, key := range meta.Keys() {
		if len(key) > 1 {
			if err := all.set(key[1], fmt.Sprint(rows[key[0]][key[1]])); err != nil {
				return nil, err
			}
			continue
		}
		if !ProperName.MatchString(key[0]) || slices.Contains(all.Names(), key[0]) {
			return nil, fmt.Errorf("strategy %q: choose a new name of small letters, digits and hyphens", key[0])
		}
		all = append(all, Strategy{Name: key[0], Paper: NotPublished})
	}
	for _, s := range all {
		if s.Of("shape") == "" && s.Of(engineKey) == "" {
			return nil, fmt.Errorf("strategy %s has no shape: set it, or like to the name of an earlier strategy", s.Name)
		}
	}
	return all, nil
}

// set sets a key of the last strategy.
func (all Strategies) set(key, value string) error {
	s, value := &all[len(all)-1], infile.Clean(value)
	if key == "like" {
		i := slices.Index(all.Names(), value)
		if i < 0 || i == len(all)-1 {
			return fmt.Errorf("strategy %s: there is no earlier strategy %s to be like", s.Name, value)
		}
		name := s.Name
		*s = all[i]
		s.Name = name
		return nil
	}
	texts := map[string]*string{"paper": &s.Paper, "section": &s.Section, "before": &s.Before, "differs": &s.Differs}
	if text := texts[key]; text != nil {
		*text = value
		return nil
	}
	*s = s.With(key, value)
	return s.check(key, value)
}

// Choose returns the strategies of a comma-separated list, or of "all". Settings follow a name after colons, as in
// merrill-hybrid:cull=none:output=parent. A name that ends in * means all names with this prefix.
func (all Strategies) Choose(list string) (chosen []Strategy, err error) {
	if list == "all" {
		return all, nil
	}
	for _, item := range strings.Split(list, ",") {
		name, settings, _ := strings.Cut(strings.TrimSpace(item), ":")
		prefix, many := strings.CutSuffix(name, "*")
		found := len(chosen)
		for _, s := range all {
			if s.Name != name && !(many && strings.HasPrefix(s.Name, prefix)) {
				continue
			}
			if s, err = s.changed(settings); err != nil {
				return nil, err
			}
			chosen = append(chosen, s)
		}
		if len(chosen) == found {
			return nil, fmt.Errorf("there is no strategy %q%s", name, cmp.Or(nearest.DidYouMean(name, all.Names()),
				": g500-lab bfs --list prints all"))
		}
	}
	return chosen, nil
}

// Choose chooses from the table of the program.
func Choose(list string) ([]Strategy, error) { return Table().Choose(list) }

// Names returns the names of the table.
func (all Strategies) Names() []string {
	return lists.Of(all, func(s Strategy) string { return s.Name })
}

// changed returns the strategy with the settings of a colon-separated list, which are added to its name.
func (s Strategy) changed(list string) (Strategy, error) {
	if list == "" {
		return s, nil
	}
	for _, item := range strings.Split(list, ":") {
		key, value, ok := strings.Cut(item, "=")
		if !ok || key == engineKey {
			return s, fmt.Errorf("%q is no setting of strategy %s: write it as %s:cull=none", item, s.Name, s.Name)
		}
		if err := s.check(key, value); err != nil {
			return s, err
		}
		s = s.With(key, value)
	}
	s.Name += ":" + list
	return s, nil
}
