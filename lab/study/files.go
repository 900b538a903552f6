// SPDX-License-Identifier: Apache-2.0

package study

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

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

// FindFiles finds the files of graphs of collections in a folder, with any extension that reads accepts; "" for no
// folder. It removes the graphs without a file and returns their names. It is an error if no graph is left, or if a
// graph has several files.
func (s *Study) FindFiles(dir string, reads func(extension string) bool) (missing []string, err error) {
	var kept []Graph
	for _, g := range s.Graphs {
		if g.Collection == "" {
			kept = append(kept, g)
			continue
		}
		name, settings, _ := strings.Cut(strings.TrimPrefix(g.Spec, filePrefix), ",")
		path, err := findFile(dir, name, reads)
		if err != nil {
			return nil, err
		}
		if path == "" {
			missing = append(missing, g.Name)
			continue
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

// filePrefix begins the spec of a file.
const filePrefix = "file:"

// findFile returns the path of the file in a folder with this name before the extensions, "" for none.
func findFile(dir, name string, reads func(extension string) bool) (path string, err error) {
	if dir == "" {
		return "", nil
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("study: %w", err)
	}
	for _, file := range files {
		extension, named := strings.CutPrefix(file.Name(), name)
		if file.IsDir() || !named || !reads(extension) {
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
