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

// Strategy is a row of the table: where it is from, and what it is made of.
type Strategy struct {
	Name     string    `json:"name"` // as it was asked for, with the settings that were given
	Paper    string    `json:"paper"`
	Section  string    `json:"section"`
	Settings []Setting `json:"settings"` // in the order of the table; a later one overrides an earlier one
}

// Setting is a part or a number of a strategy. cuda/lab/strategy.cu has the keys, and the values that each takes.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Of is the value of a setting, or "" where the strategy does not name it.
func (s Strategy) Of(key string) (value string) {
	for _, setting := range s.Settings {
		if setting.Key == key {
			value = setting.Value
		}
	}
	return value
}

// with is the strategy with one more setting.
func (s Strategy) with(key, value string) Strategy {
	s.Settings = append(slices.Clip(s.Settings), Setting{key, value})
	return s
}

// engineKey is the setting that names one of this project's engines; other strategies are of parts.
const engineKey = "engine"

// Table is the strategies, in the order of strategies.toml.
var Table = sync.OnceValue(func() []Strategy {
	all, err := parseTable(tableText)
	if err != nil {
		panic(err) // the table is part of the program, and a test reads it
	}
	return all
})

func parseTable(text string) (all []Strategy, err error) {
	var rows map[string]map[string]any
	meta, err := toml.Decode(text, &rows)
	if err != nil {
		return nil, fmt.Errorf("lab: strategies.toml: %w", err)
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
			s.Paper, s.Section, s.Settings = like.Paper, like.Section, slices.Clip(like.Settings)
		case "paper":
			s.Paper = value
		case "section":
			s.Section = value
		default:
			s.Settings = append(s.Settings, Setting{key[1], value})
		}
	}
	return all, nil
}

// Choose finds strategies: "all", or a list with commas of names, each perhaps with settings behind colons, as in
// merrill-hybrid:cull=none:output=parent. A name that ends in * stands for all that begin so.
func Choose(list string) (chosen []Strategy, err error) {
	if list == "all" {
		return Table(), nil
	}
	for _, item := range strings.Split(list, ",") {
		name, settings, _ := strings.Cut(strings.TrimSpace(item), ":")
		found := named(name)
		if len(found) == 0 {
			return nil, fmt.Errorf("there is no strategy %q: choose all, or of %s", name, strings.Join(Names(), ", "))
		}
		for _, s := range found {
			if s, err = s.changed(settings); err != nil {
				return nil, err
			}
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

// Names are the names of the table.
func Names() (names []string) {
	for _, s := range Table() {
		names = append(names, s.Name)
	}
	return names
}

func named(name string) (found []Strategy) {
	prefix, many := strings.CutSuffix(name, "*")
	for _, s := range Table() {
		if s.Name == name || many && strings.HasPrefix(s.Name, prefix) {
			found = append(found, s)
		}
	}
	return found
}

// changed is the strategy with the settings of a list, which its name then tells.
func (s Strategy) changed(list string) (Strategy, error) {
	if list == "" {
		return s, nil
	}
	for _, item := range strings.Split(list, ":") {
		key, value, ok := strings.Cut(item, "=")
		if !ok || key == "" || value == "" || key == engineKey {
			return s, fmt.Errorf("%q is no setting of strategy %s: write it as %s:cull=none", item, s.Name, s.Name)
		}
		s = s.with(key, value)
	}
	s.Name += ":" + list
	return s, nil
}
