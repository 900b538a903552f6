// SPDX-License-Identifier: Apache-2.0

package study

import (
	_ "embed"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"g500/graph/formats"
	"g500/internal/tomlfile"
	"g500/lab"
)

//go:embed graphs/files.toml
var fileTable string

// published has the published figures of a file of a collection.
type published struct {
	Page     string `toml:"page"`
	Vertices int64  `toml:"vertices"`
	Edges    int64  `toml:"edges"`
	From     string `toml:"from"`  // the paper and the table of both
	CRC64    string `toml:"crc64"` // "" if unknown
}

// publishedFiles returns the table of graphs/files.toml, by the names of files without extensions.
var publishedFiles = sync.OnceValue(func() (all map[string]published) {
	if err := tomlfile.Decode("graphs/files.toml", fileTable, &all, ""); err != nil {
		panic(err) // the table is part of the program, and a test reads it
	}
	return all
})

// Choose keeps the graphs of these names; all if there are none.
func (s *Study) Choose(names []string) error {
	for _, name := range names {
		if !slices.Contains(s.graphNames(), name) {
			return fmt.Errorf("study %s has no graph %q: choose some of %s", s.Name, name, strings.Join(s.graphNames(), ", "))
		}
	}
	s.Graphs = slices.DeleteFunc(slices.Clone(s.Graphs), func(g Graph) bool {
		return len(names) > 0 && !slices.Contains(names, g.Name)
	})
	return nil
}

// FindFiles finds the files of graphs of collections in a folder, with any extension of a graph file; "" for no folder.
// It removes the graphs without a file and returns their names, for a folder with the pages of the files. It is an
// error if no graph is left, or if a graph has several files.
func (s *Study) FindFiles(dir string) (missing []string, err error) {
	var kept []Graph
	for _, g := range s.Graphs {
		if g.Collection == "" {
			kept = append(kept, g)
			continue
		}
		name, settings, _ := strings.Cut(strings.TrimPrefix(g.Spec, filePrefix), ",")
		path, err := findFile(dir, name)
		if err != nil {
			return nil, err
		}
		if path == "" {
			missing = append(missing, g.Name)
			if page := publishedFiles()[name].Page; dir != "" && page != "" {
				missing[len(missing)-1] += " (" + page + ")"
			}
			continue
		}
		if g.Seen, err = lab.Fingerprint(path, "the graph"); err != nil {
			return nil, fmt.Errorf("study: %w", err)
		}
		g.Spec = strings.TrimSuffix(filePrefix+path+","+settings, ",")
		kept = append(kept, g)
	}
	s.Graphs = kept
	if len(kept) == 0 {
		return nil, fmt.Errorf("study %s: no file of %s: name a folder that has one", s.Name, strings.Join(missing, ", "))
	}
	return missing, nil
}

// nearly is the largest relative difference of a number that a paper rounds.
const nearly = 0.06

// doubts returns a sentence if a file of a collection differs from the published graph, "" otherwise.
func (g Graph) doubts(read lab.GraphFigures) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(g.Spec, filePrefix), ",")
	name, _, _ = strings.Cut(filepath.Base(name), ".")
	for file, known := range publishedFiles() {
		if before, _, _ := strings.Cut(file, "."); before != name || g.Collection == "" {
			continue
		}
		if known.CRC64 != "" && !strings.HasSuffix(g.Seen, known.CRC64) {
			return fmt.Sprintf("%s: its file has %s, not CRC-64 %s: download it again from %s", g.Name, g.Seen, known.CRC64,
				known.Page)
		}
		if d := math.Abs(float64(read.Vertices)/float64(known.Vertices) - 1); d > nearly {
			return fmt.Sprintf("%s: its file has %d vertices, and %s says %d: compare it with %s", g.Name, read.Vertices,
				known.From, known.Vertices, known.Page)
		}
	}
	return ""
}

// filePrefix begins the spec of a file.
const filePrefix = "file:"

// findFile returns the path of the file in a folder with this name before the extensions, "" for none.
func findFile(dir, name string) (path string, err error) {
	if dir == "" {
		return "", nil
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("study: %w", err)
	}
	for _, file := range files {
		extension, named := strings.CutPrefix(file.Name(), name)
		if file.IsDir() || !named || !formats.ReadsExtension(extension) {
			continue
		}
		if path != "" {
			return "", fmt.Errorf("study: %s and %s may both be graph %s: move one of them to another folder", path,
				file.Name(), name)
		}
		path = filepath.Join(dir, file.Name())
	}
	return path, nil
}

// Small is the size of studies for a laptop or the emulator, with this number of sources or runs.
const (
	Small = "small"
	often = 8
)

// sizes matches the numbers of a generator that grow with the graph, with their names; sides of a lattice have none.
var sizes = regexp.MustCompile(`(?:scale=|vertices=|edgefactor=|degree=)\d+|\d+x\d+(?:x\d+)?`)

// number matches a whole number.
var number = regexp.MustCompile(`\d+`)

// Shrink makes the graphs of generators small, and removes graphs of files. No claim gets a verdict.
func (s *Study) Shrink() {
	s.Size = Small
	s.Sources, s.Runs = min(s.Sources, often), min(s.Runs, often)
	s.Graphs = slices.DeleteFunc(slices.Clone(s.Graphs), func(g Graph) bool { return g.Collection != "" })
	most := map[string]int{"scale": 9, "vertices": 500, "edgefactor": 16, "degree": 16}
	for i, g := range s.Graphs {
		s.Graphs[i].Spec = sizes.ReplaceAllStringFunc(g.Spec, func(size string) string {
			name, _, _ := strings.Cut(size, "=")
			limit, named := most[name]
			if !named { // sides
				limit = map[int]int{1: 24, 2: 8}[strings.Count(size, "x")]
			}
			return number.ReplaceAllStringFunc(size, func(digits string) string {
				n, _ := strconv.Atoi(digits)
				return fmt.Sprint(min(n, limit))
			})
		})
	}
}
