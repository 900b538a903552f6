// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"g500/internal/lists"
)

//go:generate go run ./keygen

// key is a setting of strategies, with words as values, or with numbers from least to most.
type key struct {
	name        string
	words       []string
	least, most int
	power       bool // numbers must be powers of two
}

// engineKeys are the keys of the engines of this project.
var engineKeys = []key{
	{name: engineKey, words: []string{"gpu", "cpu", "topdown"}},
	{name: "output", words: []string{"distance", "parent"}},
	{name: countKey, words: []string{keptEdges}},
}

// check returns an error if the strategy has no key of this name, or the key not this value.
func (s Strategy) check(name, value string) error {
	known := keys
	if s.Of(engineKey) != "" {
		known = engineKeys
	}
	i := slices.IndexFunc(known, func(k key) bool { return k.name == name })
	if i < 0 {
		names := lists.Of(known, func(k key) string { return k.name })
		return fmt.Errorf("strategy %s has no key %q: choose one of %s", s.Name, name, strings.Join(names, ", "))
	}
	if wrong := known[i].check(value); wrong != "" {
		return fmt.Errorf("strategy %s: %s=%s: choose %s", s.Name, name, value, wrong)
	}
	return nil
}

// check returns the possible values, "" if the value is one of them.
func (k key) check(value string) string {
	if len(k.words) > 0 {
		if slices.Contains(k.words, value) {
			return ""
		}
		return strings.Join(k.words, ", ")
	}
	x, err := strconv.ParseUint(value, 10, 32)
	if err == nil && int(x) >= k.least && int(x) <= k.most && !(k.power && x&(x-1) != 0) {
		return ""
	}
	if k.power {
		return fmt.Sprintf("a power of two from %d to %d", k.least, k.most)
	}
	return fmt.Sprintf("a number from %d to %d", k.least, k.most)
}
