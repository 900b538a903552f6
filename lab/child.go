// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"g500/internal/infile"
)

// Child is a machine that searches in another process (cuda/lab/child.cc), on a GPU or in the emulator of GPUs: by a
// plugin, which may crash or never end, or by the strategies of papers. It also colours. A process has one graph. If it
// fails, the next search starts another one.
type Child struct {
	Program string    // the path of the program of the process
	On      string    // the machine on which it searches, for reports
	Output  io.Writer // for the text that the process prints; nil drops it

	limit   time.Duration // of a search; 0 for none
	plugin  *Strategy     // nil: the strategies of papers
	path    string        // of the plugin
	graph   *Graph
	process *process // nil before the first search on a graph, and after a failure
	words   []uint32 // of the last result
}

// ErrFailed is an error of a process that crashed, did not answer in time or refused to search. It is a fault of its
// strategy; other strategies can still be measured.
var ErrFailed = errors.New("failed")

// pluginEngine is the engine of strategies that are plugins.
const pluginEngine = "plugin"

// PluginsOf returns the strategies of plugins, which have the names of the files, without reading the files.
func PluginsOf(paths ...string) (all []Strategy, err error) {
	for _, path := range paths {
		name := strings.TrimSuffix(strings.ToLower(infile.Clean(filepath.Base(path))), ".so")
		name = strings.Trim(ToName(strings.TrimPrefix(name, "lib")), "-")
		if _, taken := Choose(name); taken == nil || name == "" {
			return nil, fmt.Errorf("lab: the plugin %s has the name of a strategy: rename the file", path)
		}
		if slices.ContainsFunc(all, func(s Strategy) bool { return s.Name == name }) {
			return nil, fmt.Errorf("lab: two plugins have the name %s: rename the file %s", name, path)
		}
		all = append(all, Strategy{Name: name, Paper: name}.With(engineKey, pluginEngine))
	}
	return all, nil
}

// Fingerprint returns the length and the checksum of a file, which errors call what.
func Fingerprint(path, what string) (string, error) {
	file, err := infile.OpenRegular(path, what)
	if err != nil {
		return "", err
	}
	defer file.Close()
	var sum infile.Fingerprint
	if _, err := io.Copy(&sum, file); err != nil {
		return "", fmt.Errorf("cannot read %s: %w", what, err)
	}
	return sum.String(), nil
}

// NewPlugin returns a machine that searches by a plugin, a shared library with a strategy of PluginsOf, in processes
// like c. A search takes at most the limit, unless this is 0.
func (c Child) NewPlugin(path string, own Strategy, limit time.Duration) (*Child, error) {
	sum, err := Fingerprint(path, "the plugin")
	if err == nil {
		c.path, err = filepath.Abs(path)
	}
	if err != nil {
		return nil, fmt.Errorf("lab: %w", err)
	}
	c.limit, c.plugin = limit, &own
	own.Section = fmt.Sprintf("plugin %s, %s", infile.Clean(filepath.Base(path)), sum)
	var a struct{ Before string }
	err = c.Ask(&a, "plugin "+c.path)
	if err = errors.Join(err, c.Close()); err != nil {
		return nil, fmt.Errorf("lab: the plugin %s cannot be used: %w", path, err)
	}
	own.Before = infile.Clean(a.Before)
	return &c, nil
}

// Strategies returns the strategy of a plugin.
func (c *Child) Strategies() []Strategy {
	if c.plugin == nil {
		return nil
	}
	return []Strategy{*c.plugin}
}

// Name returns the name of the machine, for a plugin with its checksum.
func (c *Child) Name() string {
	if c.plugin != nil {
		return c.plugin.Section
	}
	return c.On
}

// Load keeps a graph for the next process, unless the process has it.
func (c *Child) Load(g *Graph) error {
	c.graph = g
	if g.InProcess {
		return nil
	}
	return c.Close()
}

// Prepare loads the plugin, or allocates memory for a strategy. It starts a process if there is none.
func (c *Child) Prepare(s Strategy) error {
	request := "strategy " + s.SettingsText()
	switch kernel, rounds := s.Of("kernel"), cmp.Or(s.Of("rounds"), "0"); {
	case c.plugin != nil && s.Section != c.plugin.Section, c.plugin == nil && s.Of(engineKey) != "",
		kernel == "" && s.Of(CoresKey) != "":
		return ErrElsewhere
	case c.plugin != nil:
		request = "plugin " + c.path
	case kernel != "":
		request = fmt.Sprintf("color %s %s", rounds, kernel)
	}
	return c.Ask(nil, request)
}

// Run searches from a vertex, or colours.
func (c *Child) Run(source uint32) (Measures, error) {
	var a struct {
		Measures
		Full       bool
		QueueBytes int64 `json:"queue_bytes"`
		Levels     []Level
		Shares     []Share
		Coloring   ColoringRun
	}
	err := c.Ask(&a, fmt.Sprintf("run %d", source))
	m := a.Measures
	m.Machine, m.Full, m.ByLevel, m.Shares, m.Coloring = c.On, a.Full, a.Levels, a.Shares, a.Coloring
	if m.Counts != nil {
		m.Queues = a.QueueBytes
	}
	return m, err
}

// Result returns the result of the last run.
func (c *Child) Result() (r Result, err error) {
	var a struct{ Of string }
	words, err := c.Words(&a, "result")
	if err == nil {
		*map[string]*[]uint32{"distances": &r.Distances, "parents": &r.Parents, "colors": &r.Colors}[a.Of] = words
	}
	return r, err
}

// Close ends the process.
func (c *Child) Close() error {
	c.end()
	return nil
}
