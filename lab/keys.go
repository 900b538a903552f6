// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"g500/internal/lists"
	"g500/internal/tomlfile"
)

//go:generate go run ./keygen
//go:embed keys.toml
var keysText string

// Key is a setting of strategies with words or numbers as values: a row of keys.toml, which explains the members.
type Key struct {
	Name, Says         string
	Words              []Word
	Least, Most, Usual int // the most of a key with words is the number of the last one
	Power              bool
}

// Word is a value of a key, with the name of its constant in C++.
type Word struct{ Text, Name string }

// UnmarshalText reads "word" or "word=Name".
func (w *Word) UnmarshalText(text []byte) error {
	w.Text, w.Name, _ = strings.Cut(string(text), "=")
	if w.Name == "" {
		for part := range strings.SplitSeq(w.Text, "-") {
			w.Name += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return nil
}

// Keys returns the keys of strategies that consist of parts.
var Keys = sync.OnceValue(func() []Key {
	var table struct{ Key []Key }
	if err := tomlfile.Decode("lab/keys.toml", keysText, &table, ""); err != nil {
		panic(err) // the table is part of the program, and a test reads it
	}
	for i, k := range table.Key {
		table.Key[i].Most = cmp.Or(k.Most, max(len(k.Words)-1, 0), 1<<30)
	}
	return table.Key
})

// engineKeys are the keys of the engines of this project.
var engineKeys = []Key{
	{Name: engineKey, Words: []Word{{Text: "gpu"}, {Text: "cpu"}, {Text: "topdown"}}},
	{Name: "output", Words: []Word{{Text: "distance"}, {Text: "parent"}}},
	{Name: countKey, Words: []Word{{Text: keptEdges}}},
}

// check returns an error if the strategy has no key of this name, or the key not this value.
func (s Strategy) check(name, value string) error {
	known := Keys()
	if s.Of(engineKey) != "" {
		known = engineKeys
	}
	i := slices.IndexFunc(known, func(k Key) bool { return k.Name == name })
	if i < 0 {
		names := lists.Of(known, func(k Key) string { return k.Name })
		return fmt.Errorf("strategy %s has no key %q: choose one of %s", s.Name, name, strings.Join(names, ", "))
	}
	if wrong := known[i].check(value); wrong != "" {
		return fmt.Errorf("strategy %s: %s=%s: choose %s", s.Name, name, value, wrong)
	}
	return nil
}

// check returns the possible values, "" if the value is one of them.
func (k Key) check(value string) string {
	if len(k.Words) > 0 {
		words := lists.Of(k.Words, func(w Word) string { return w.Text })
		if slices.Contains(words, value) {
			return ""
		}
		return strings.Join(words, ", ")
	}
	x, err := strconv.ParseUint(value, 10, 32)
	if err == nil && int(x) >= k.Least && int(x) <= k.Most && !(k.Power && x&(x-1) != 0) {
		return ""
	}
	kind := map[bool]string{true: "a power of two", false: "a number"}[k.Power]
	return fmt.Sprintf("%s from %d to %d", kind, k.Least, k.Most)
}
