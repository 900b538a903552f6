// SPDX-License-Identifier: Apache-2.0

package settings

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"g500/internal/lists"
	"g500/internal/tomlfile"
	"g500/kronecker"
)

// NotPruned is the value of search.prune that keeps all edges (package sssp).
const NotPruned = "none"

// Default returns the configuration of a run on one rank of this machine that takes seconds.
func Default() (c Config) {
	for _, s := range Table {
		s.reset(&c)
	}
	return c
}

// Parse reads a configuration over the defaults: text is the content of the file path. Errors name the line.
func Parse(path, text string) (Config, error) {
	c := Default()
	if err := tomlfile.Decode(path, text, &c, "g500 run --print-config shows them all"); err != nil {
		return c, err
	}
	var out *RangeError
	if err := c.Check(); errors.As(err, &out) {
		return c, fmt.Errorf("%s:%d: %w", path, tomlfile.Line(text, out.Key), err)
	}
	return c, nil
}

// Write writes the configuration as a file that Parse reads.
func (c Config) Write(w io.Writer) error { return toml.NewEncoder(w).Encode(c) }

// Check returns a *RangeError for the first setting that is out of range, or that another one excludes.
func (c Config) Check() error {
	for _, s := range Table {
		if err := s.check(&c); err != nil {
			return err
		}
	}
	switch {
	case c.Search.Power && !c.Search.Validate:
		return &RangeError{"search.power", "true", "false if trees are not validated: there is no rate without"}
	case c.Search.Prune != NotPruned && c.Search.Kernel == "bfs":
		return &RangeError{"search.prune", c.Search.Prune, NotPruned + " if no shortest paths are searched"}
	case c.Output.Trees && c.Output.Dir == "":
		return &RangeError{"output.trees", "true", "false if no folder is named for it (--output DIR)"}
	}
	return nil
}

// Lacking lists the settings that differ from their defaults and that an engine does not have.
func (c Config) Lacking(engine string) []Setting {
	return lists.Where(Table, func(s Setting) bool { return !s.Has(engine) && !s.IsDefault(&c) })
}

// Params returns the parameters of the generator.
func (c Config) Params() kronecker.Params {
	return kronecker.Params{
		Scale: c.Graph.Scale, EdgeFactor: c.Graph.EdgeFactor, Seed1: c.Graph.Seeds[0], Seed2: c.Graph.Seeds[1],
	}
}

// Duration is a time, written as 90s or 2h30m in TOML and JSON; a file may have "" for 0.
type Duration time.Duration

func (d Duration) String() string { return time.Duration(d).String() }

// Seconds returns the time in seconds.
func (d Duration) Seconds() float64 { return time.Duration(d).Seconds() }

// MarshalText writes the time.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the time.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(cmp.Or(string(text), "0s"))
	if err != nil {
		return fmt.Errorf("%q is no duration: write it as 90s or 2h30m", text)
	}
	*d = Duration(parsed)
	return nil
}

// Seeds are the two seeds of the generator. In TOML a seed above 2^63-1, where TOML's integers end, is in quotes.
type Seeds [2]uint64

func (s Seeds) String() string { return fmt.Sprintf("%d,%d", s[0], s[1]) }

// Type describes the value of the flag.
func (s Seeds) Type() string { return "A,B" }

// Set reads the seeds as String writes them.
func (s *Seeds) Set(text string) error {
	a, b, ok := strings.Cut(text, ",")
	first, err1 := strconv.ParseUint(strings.TrimSpace(a), 10, 64)
	second, err2 := strconv.ParseUint(strings.TrimSpace(b), 10, 64)
	if !ok || err1 != nil || err2 != nil {
		return errors.New("two numbers from 0 to 2^64-1 are needed, as in 2,3")
	}
	*s = Seeds{first, second}
	return nil
}

var errSeeds = errors.New("graph.seeds must be two whole numbers from 0 to 2^64-1, as in seeds = [2, 3], " +
	"in quotes if above 2^63-1")

// UnmarshalTOML sets the seeds. It refuses all values except two integers in range.
func (s *Seeds) UnmarshalTOML(value any) error {
	list, _ := value.([]any)
	texts := lists.Of(list, func(item any) string { return fmt.Sprint(item) })
	if len(texts) != len(s) || s.Set(strings.Join(texts, ",")) != nil {
		return errSeeds
	}
	return nil
}

// MarshalTOML writes the seeds as UnmarshalTOML reads them.
func (s Seeds) MarshalTOML() ([]byte, error) {
	text := func(seed uint64) string {
		if seed > math.MaxInt64 {
			return fmt.Sprintf("%q", strconv.FormatUint(seed, 10))
		}
		return strconv.FormatUint(seed, 10)
	}
	return []byte("[" + text(s[0]) + ", " + text(s[1]) + "]"), nil
}
