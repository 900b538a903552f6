package lab

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed strategies.toml
var tableText string

// Strategy is a row of the table: its source, and its settings.
type Strategy struct {
	Name     string    `json:"name"` // with the settings of the command line
	Paper    string    `json:"paper"`
	Section  string    `json:"section"`
	Before   string    `json:"before_clock,omitempty"` // work on the graph that is not timed
	Settings []Setting `json:"settings"`               // in the order of the table; a later one overrides an earlier one
}

// Setting is a part or a number of a strategy. cuda/lab/strategy.cu has the keys and their values.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Of returns the value of a setting, or "" if the strategy does not name it.
func (s Strategy) Of(key string) (value string) {
	for _, setting := range s.Settings {
		if setting.Key == key {
			value = setting.Value
		}
	}
	return value
}

// NeedsGPU reports whether a strategy runs only on a GPU.
func (s Strategy) NeedsGPU() bool { return s.Of(engineKey) != "cpu" && s.Of(engineKey) != "topdown" }

// with returns the strategy with one more setting.
func (s Strategy) with(key, value string) Strategy {
	s.Settings = append(slices.Clip(s.Settings), Setting{key, value})
	return s
}

// BeforeClock returns the work on the graph that is not timed, "" for none; also for a strategy of a report that does
// not have it.
func (s Strategy) BeforeClock() string {
	name, _, _ := strings.Cut(s.Name, ":")
	if i := slices.IndexFunc(Table(), func(row Strategy) bool { return row.Name == name }); i >= 0 && s.Before == "" {
		return Table()[i].Before
	}
	return s.Before
}

// engineKey is the setting that names an engine of this project. Other strategies consist of parts.
const engineKey = "engine"

// A strategy with countKey = keptEdges counts only the edges that an engine keeps: without duplicates and self-loops.
const (
	countKey  = "count"
	keptEdges = "kept"
)

// Table returns the strategies, in the order of strategies.toml.
var Table = sync.OnceValue(func() []Strategy {
	var all []Strategy
	var rows map[string]map[string]any
	meta, err := toml.Decode(tableText, &rows)
	if err != nil {
		panic(err) // the table is part of the program, and a test reads it
	}
	for _, key := range meta.Keys() {
		if len(key) == 1 {
			all = append(all, Strategy{Name: key[0]})
			continue
		}
		s, value := &all[len(all)-1], fmt.Sprint(rows[key[0]][key[1]])
		switch key[1] {
		case "like":
			like := all[slices.IndexFunc(all, func(s Strategy) bool { return s.Name == value })]
			s.Paper, s.Section, s.Before, s.Settings = like.Paper, like.Section, like.Before, slices.Clip(like.Settings)
		case "paper":
			s.Paper = value
		case "section":
			s.Section = value
		case "before":
			s.Before = value
		default:
			s.Settings = append(s.Settings, Setting{key[1], value})
		}
	}
	return all
})

// Choose returns the strategies of a comma-separated list, or of "all". Settings follow a name after colons, as in
// merrill-hybrid:cull=none:output=parent. A name that ends in * means all names with this prefix.
func Choose(list string) (chosen []Strategy, err error) {
	if list == "all" {
		return Table(), nil
	}
	for _, item := range strings.Split(list, ",") {
		name, settings, _ := strings.Cut(strings.TrimSpace(item), ":")
		prefix, many := strings.CutSuffix(name, "*")
		found := len(chosen)
		for _, s := range Table() {
			if s.Name != name && !(many && strings.HasPrefix(s.Name, prefix)) {
				continue
			}
			if s, err = s.changed(settings); err != nil {
				return nil, err
			}
			chosen = append(chosen, s)
		}
		if len(chosen) == found {
			return nil, fmt.Errorf("there is no strategy %q: choose all, or some of %s", name, strings.Join(Names(), ", "))
		}
	}
	return chosen, nil
}

// Names returns the names of the table.
func Names() (names []string) {
	for _, s := range Table() {
		names = append(names, s.Name)
	}
	return names
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
		s = s.with(key, value)
	}
	s.Name += ":" + list
	return s, nil
}
