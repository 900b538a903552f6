// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"slices"
	"strings"

	"g500/internal/lists"
)

// Strategy is a row of the table: its source, and its settings.
type Strategy struct {
	Name     string    `json:"name"` // with the settings of the command line
	Paper    string    `json:"paper"`
	Section  string    `json:"section"`
	Before   string    `json:"before_clock,omitempty"` // work on the graph that is not timed
	Differs  string    `json:"differs,omitempty"`      // from the paper, or AsPublished; "": not recorded
	Settings []Setting `json:"settings,omitempty"`     // in the order of the table; a later one overrides an earlier one
}

// Setting is a part or a number of a strategy. lab/keys.toml has the keys and their values.
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

// SettingsText returns all settings, as KEY=VALUE with spaces between them.
func (s Strategy) SettingsText() string {
	return strings.Join(lists.Of(s.Settings, func(of Setting) string { return of.Key + "=" + of.Value }), " ")
}

// AsPublished is the difference from its paper of a strategy that has all mechanisms of the paper's text.
const AsPublished = "none known"

// IsPart reports whether a strategy is no search, but isolated kernels of one; also for a result without settings.
func (s Strategy) IsPart() bool {
	name, _, _ := strings.Cut(strings.TrimSuffix(s.Name, again), ":")
	i := slices.Index(Table().Names(), name)
	return s.Of("shape") == "isolated" || s.Settings == nil && i >= 0 && Table()[i].IsPart()
}

// again ends the names of strategies that are measured twice under two names.
const again = " again"

// Again returns the name of the second measurement of a strategy.
func Again(name string) string { return name + again }

// IsAgain reports whether a strategy is a second measurement.
func (s Strategy) IsAgain() bool { return strings.HasSuffix(s.Name, again) }

// CoresKey is the setting that names an algorithm on CPU cores.
const CoresKey = "cores"

// NeedsGPU reports whether a strategy runs only on a GPU.
func (s Strategy) NeedsGPU() bool {
	return s.Of(CoresKey) == "" && !slices.Contains([]string{"cpu", "topdown", timesEngine}, s.Of(engineKey))
}

// With returns the strategy with a setting, in place of an earlier one of the same key.
func (s Strategy) With(key, value string) Strategy {
	same := func(other Setting) bool { return other.Key == key }
	s.Settings = append(slices.DeleteFunc(slices.Clone(s.Settings), same), Setting{key, value})
	return s
}

// engineKey is the setting that names an engine of this project. Other strategies consist of parts.
const engineKey = "engine"

// takesTurnsWith returns the engine whose strategies take turns; "" for strategies of papers and plugins together.
func (s Strategy) takesTurnsWith() string {
	if engine := s.Of(engineKey); engine != pluginEngine {
		return engine
	}
	return ""
}

// A strategy with countKey = keptEdges counts only the edges that an engine keeps: without duplicates and self-loops.
const (
	countKey  = "count"
	keptEdges = "kept"
)
