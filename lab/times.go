// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"g500/internal/infile"
)

// Times are times of other programs, from a CSV file. As a Machine it "searches" with them: rates count the same edges
// as the rates of strategies. Results are not validated.
type Times struct {
	name       string // with a checksum
	strategies []Strategy
	all        map[string]map[string]map[uint32]Measures // by strategy, graph and source
	graph      string
	at         map[uint32]Measures // of Prepare
}

// timesEngine is the engine of strategies whose times are from a file.
const timesEngine = "times"

// ReadTimes reads a CSV file with columns graph, strategy, source and seconds, and possibly paper and machine. It
// ignores others, so that it also reads the output of g500-lab bfs --csv.
func ReadTimes(path string) (*Times, error) {
	text, err := infile.Small(path, "the times", infile.Settings)
	if err != nil {
		return nil, fmt.Errorf("lab: %w", err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("lab: %s: %w", path, err)
	}
	name := infile.Clean(filepath.Base(path))
	t := &Times{name: fmt.Sprintf("times of %s (CRC-32 %08x)", name, crc32.ChecksumIEEE(text)),
		all: map[string]map[string]map[uint32]Measures{}}
	if len(rows) < 2 {
		return nil, fmt.Errorf("lab: %s has no times: write a header and one row per search", path)
	}
	for i, row := range rows[1:] {
		if err := t.add(rows[0], row); err != nil {
			return nil, fmt.Errorf("lab: %s, row %d: %w", path, i+2, err)
		}
	}
	return t, nil
}

// add adds a row.
func (t *Times) add(head, row []string) error {
	cell := func(column string) string {
		if i := slices.Index(head, column); i >= 0 {
			return infile.Clean(strings.TrimSpace(row[i]))
		}
		return ""
	}
	name, graph := cell("strategy"), cell("graph")
	if graph == "" || name == "" {
		return errors.New("name the graph and the strategy in columns graph and strategy")
	}
	source, err := strconv.ParseUint(cell("source"), 10, 32)
	if err != nil {
		return fmt.Errorf("column source has %q: write the number of a vertex", cell("source"))
	}
	seconds, err := strconv.ParseFloat(cell("seconds"), 64)
	if err != nil || !(seconds > 0) || seconds > 1e9 {
		return fmt.Errorf("column seconds has %q: write the time of one search in seconds", cell("seconds"))
	}
	if t.all[name] == nil {
		t.all[name] = map[string]map[uint32]Measures{}
		one := Strategy{Name: name, Paper: cmp.Or(cell("paper"), NotPublished), Section: t.name}
		t.strategies = append(t.strategies, one.With(engineKey, timesEngine))
	}
	if t.all[name][graph] == nil {
		t.all[name][graph] = map[uint32]Measures{}
	}
	if _, twice := t.all[name][graph][uint32(source)]; twice {
		return fmt.Errorf("%s has a second time from source %d", name, source)
	}
	t.all[name][graph][uint32(source)] = Measures{Seconds: seconds, Machine: cell("machine")}
	return nil
}

// Strategies returns a strategy for each program of the file.
func (t *Times) Strategies() []Strategy { return t.strategies }

// Name returns the name of the file.
func (t *Times) Name() string { return t.name }

// Load notes the name of a graph.
func (t *Times) Load(g *Graph) error {
	t.graph = g.Name
	return nil
}

// Prepare chooses the program of a strategy.
func (t *Times) Prepare(s Strategy) error {
	graphs := t.all[s.Name]
	t.at = graphs[t.graph]
	switch {
	case graphs == nil || s.Of(engineKey) != timesEngine:
		return ErrElsewhere
	case t.at != nil:
		return nil
	}
	return fmt.Errorf("%w: its file has no times on this graph, but on %s", ErrLeftOut,
		strings.Join(slices.Sorted(maps.Keys(graphs)), " and "))
}

// Run returns the time from a vertex.
func (t *Times) Run(source uint32) (Measures, error) {
	m, known := t.at[source]
	if !known {
		return m, fmt.Errorf("%w: its file has no time from source %d, but must have those of all sources that "+
			"g500-lab bfs --csv prints", ErrLeftOut, source)
	}
	return m, nil
}

// Result is not called: results of other programs are not validated.
func (t *Times) Result() (r Result, err error) { return r, nil }

// Close does nothing.
func (t *Times) Close() error { return nil }
