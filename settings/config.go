// SPDX-License-Identifier: Apache-2.0

package settings

import (
	"errors"
	"fmt"
	"io"

	"github.com/BurntSushi/toml"

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
func (c Config) Lacking(engine string) (all []Setting) {
	for _, s := range Table {
		if !s.Has(engine) && !s.IsDefault(&c) {
			all = append(all, s)
		}
	}
	return all
}

// Params returns the parameters of the generator.
func (c Config) Params() kronecker.Params {
	return kronecker.Params{
		Scale: c.Graph.Scale, EdgeFactor: c.Graph.EdgeFactor, Seed1: c.Graph.Seeds[0], Seed2: c.Graph.Seeds[1],
	}
}
