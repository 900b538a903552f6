// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"g500/internal/infile"
)

// Child is a machine that searches in another process (cuda/lab/child.cc): by a plugin, which may crash or never end,
// or by the strategies of papers in the emulator of GPUs. It also colours. A process has one graph. If it fails, the
// next search starts another one.
type Child struct {
	Program string   // the path of the program of the process
	On      string   // the machine on which it searches, for reports
	Untimed bool     // it counts, and its times mean nothing
	Output  *os.File // for the text that the process prints; nil drops it

	limit   time.Duration // of a search; 0 for none
	plugin  *Strategy     // nil: the strategies of papers
	path    string        // of the plugin
	graph   *Graph
	process *process // nil before the first search on a graph, and after a failure
}

// ErrFailed is an error of a process that crashed, did not answer in time or refused to search. It is a fault of its
// strategy; other strategies can still be measured.
var ErrFailed = errors.New("failed")

// Reasons why a GPU, also an emulated one, leaves a strategy or an algorithm out.
var (
	ErrMisfit = fmt.Errorf("%w: its parts do not fit together, or it goes bottom-up or drops leaves, and the graph is "+
		"directed", ErrLeftOut)
	ErrMemory    = fmt.Errorf("%w: the GPU lacks memory for it", ErrLeftOut)
	errNoLibrary = fmt.Errorf("%w: it needs a GPU, the library cuSPARSE with csrcolor, and fewer than 2^31 edges",
		ErrLeftOut)
)

// pluginEngine is the engine of strategies that are plugins.
const pluginEngine = "plugin"

// notInNames matches the characters that names of strategies do not have.
var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// PluginsOf returns the strategies of plugins, which have the names of the files, without reading the files.
func PluginsOf(paths ...string) (all []Strategy, err error) {
	for _, path := range paths {
		name := strings.TrimSuffix(strings.ToLower(infile.Clean(filepath.Base(path))), ".so")
		name = strings.Trim(notInNames.ReplaceAllString(strings.TrimPrefix(name, "lib"), "-"), "-")
		if _, taken := Choose(name); taken == nil || name == "" {
			return nil, fmt.Errorf("lab: the plugin %s has the name of a strategy: rename the file", path)
		}
		if slices.ContainsFunc(all, func(s Strategy) bool { return s.Name == name }) {
			return nil, fmt.Errorf("lab: two plugins have the name %s: rename the file %s", name, path)
		}
		all = append(all, Strategy{Name: name, Paper: name}.with(engineKey, pluginEngine))
	}
	return all, nil
}

// NewPlugin returns a machine that searches by a plugin, a shared library, in processes like c. A search takes at most
// the limit, unless this is 0.
func (c Child) NewPlugin(path string, limit time.Duration) (*Child, error) {
	c.limit = limit
	file, err := infile.OpenRegular(path, "the plugin")
	if err != nil {
		return nil, fmt.Errorf("lab: %w", err)
	}
	var sum infile.Fingerprint
	_, err = io.Copy(&sum, file)
	if err = errors.Join(err, file.Close()); err == nil {
		c.path, err = filepath.Abs(path)
	}
	if err != nil {
		return nil, fmt.Errorf("lab: cannot read the plugin: %w", err)
	}
	own, err := PluginsOf(path)
	if err != nil {
		return nil, err
	}
	c.plugin = &own[0]
	c.plugin.Section = fmt.Sprintf("plugin %s, %s", infile.Clean(filepath.Base(path)), sum)
	a, err := c.ask("plugin " + c.path)
	if err = errors.Join(err, c.Close()); err != nil {
		return nil, fmt.Errorf("lab: the plugin %s cannot be used: %w", path, err)
	}
	c.plugin.Before = infile.Clean(a.Before)
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

// Load keeps a graph for the next process.
func (c *Child) Load(g *Graph) error {
	c.graph = g
	return c.Close()
}

// Prepare loads the plugin, or allocates memory for a strategy of a paper. It starts a process if there is none.
func (c *Child) Prepare(s Strategy) error {
	request := "plugin " + c.path
	switch {
	case c.plugin != nil && s.Section != c.plugin.Section, c.plugin == nil && s.Of(engineKey) != "":
		return ErrElsewhere
	case c.plugin != nil && c.process != nil && c.process.ready:
		return nil
	case c.plugin == nil:
		request = "strategy"
		for _, setting := range s.Settings {
			request += " " + setting.Key + "=" + setting.Value
		}
	}
	_, err := c.askWithGraph(request)
	if err == nil {
		c.process.ready = true
	}
	return err
}

// askWithGraph asks a process that has the graph.
func (c *Child) askWithGraph(request string) (a answer, err error) {
	if c.process == nil {
		if a, err = c.ask(fmt.Sprintf("graph %d %d %d", c.graph.Vertices(), len(c.graph.Columns),
			map[bool]int{true: 1}[c.graph.Symmetric]), bytesOf(c.graph.Offsets), bytesOf(c.graph.Columns)); err != nil {
			return a, err
		}
	}
	return c.ask(request)
}

// Search searches from a vertex.
func (c *Child) Search(source uint32) (m Measures, err error) {
	a, err := c.ask(fmt.Sprintf("search %d", source))
	if err != nil {
		return m, err
	}
	m = Measures{Seconds: c.seconds(a), Full: a.Full, Machine: c.On, ByLevel: a.Levels, Shares: a.Shares}
	if c.plugin == nil {
		m.Counts = &a.Counts
		m.Queues = a.QueueBytes
	}
	return m, nil
}

// Result returns the result of the last search.
func (c *Child) Result() (r Result, err error) {
	a, err := c.ask("result")
	if err != nil {
		return r, err
	}
	words, err := c.words()
	if a.Parents {
		return Result{Parents: words}, err
	}
	return Result{Distances: words}, err
}

// Color colours the graph by a method of cuda/color, as data+bitset, and returns the colours, from 1 on. A limit of
// rounds that is not 0 leaves the rest to a core.
func (c *Child) Color(method string, rounds int) (run ColoringRun, colors []uint32, err error) {
	a, err := c.askWithGraph(fmt.Sprintf("color %d %s", rounds, method))
	if err == nil {
		colors, err = c.words()
	}
	a.ColoringRun.Seconds = c.seconds(a)
	return a.ColoringRun, colors, err
}

// words returns the word per vertex that follows an answer.
func (c *Child) words() ([]uint32, error) {
	words := make([]uint32, c.graph.Vertices())
	if _, err := io.ReadFull(c.process.answers, bytesOf(words)); err != nil {
		return nil, c.failed(err)
	}
	return words, nil
}

// seconds returns the time of an answer, 0 in the emulator.
func (c *Child) seconds(a answer) float64 {
	if c.Untimed {
		return 0
	}
	return float64(a.Nanoseconds) / 1e9
}

// Close ends the process.
func (c *Child) Close() error {
	c.end()
	return nil
}
