// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const tableFile = "docs/ARCHITECTURE.md"

// importTable and includeTable are the names of the tables of Go imports and of C includes. A table is between the
// marks <!-- name --> and <!-- /name -->, which Markdown does not show. Each row names a folder and, separated by
// commas, the folders that it may import or include, or "nothing".
const (
	importTable  = "imports"
	includeTable = "includes"
)

// importFaults finds the imports that the import table does not allow, and folders that only one of both has.
func importFaults(r repository) (faults []string) {
	allowed, err := parseTable(r.text(tableFile), importTable)
	if err != nil {
		return []string{err.Error()}
	}
	folders := map[string]bool{}
	for _, f := range r.sources() {
		if _, listed := allowed[f.folder()]; !listed && !folders[f.folder()] {
			faults = append(faults, fmt.Sprintf("folder %s is missing from the import table in %s", f.folder(), tableFile))
		}
		folders[f.folder()] = true
		for _, folder := range ourImports(f) {
			if may, listed := allowed[f.folder()]; listed && !slices.Contains(may, folder) {
				faults = append(faults,
					fmt.Sprintf("%s imports %s, which the table in %s does not allow", f.path, folder, tableFile))
			}
		}
	}
	return append(faults, staleRows(allowed, folders)...)
}

// folderFaults finds the top folders that the section of files does not name.
func folderFaults(r repository) (faults []string) {
	_, section, _ := strings.Cut(r.text(tableFile), "\n## Files\n")
	section, _, _ = strings.Cut(section, "\n## ")
	missing := map[string]bool{}
	for _, f := range r {
		if top, _, below := strings.Cut(f.path, "/"); below && !strings.Contains(section, "`"+top+"`") &&
			!strings.Contains(section, "`"+top+"/") {
			missing[top] = true
		}
	}
	for _, top := range slices.Sorted(maps.Keys(missing)) {
		faults = append(faults, fmt.Sprintf("folder %s is missing from the files in %s", top, tableFile))
	}
	return faults
}

// staleRows finds the folders of a table that do not exist.
func staleRows(allowed map[string][]string, folders map[string]bool) (faults []string) {
	for _, folder := range slices.Sorted(maps.Keys(allowed)) {
		if !folders[folder] {
			faults = append(faults, fmt.Sprintf("folder %s in %s has no file", folder, tableFile))
		}
		for _, other := range allowed[folder] {
			if _, listed := allowed[other]; !listed {
				faults = append(faults,
					fmt.Sprintf("folder %s may import %s says %s, which has no such folder", folder, other, tableFile))
			}
		}
	}
	return faults
}

// ourImports are the folders that a file imports.
func ourImports(f textFile) (folders []string) {
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if folder, ours := strings.CutPrefix(path, module); err == nil && ours {
			folders = append(folders, folder)
		}
	}
	return folders
}

// parseTable returns for each folder of a table the folders that it may import or include.
func parseTable(text, name string) (map[string][]string, error) {
	_, rest, begins := strings.Cut(text, "<!-- "+name+" -->")
	rows, _, ends := strings.Cut(rest, "<!-- /"+name+" -->")
	if !begins || !ends {
		return nil, fmt.Errorf("%s has no table between <!-- %s --> and <!-- /%[2]s -->", tableFile, name)
	}
	allowed := map[string][]string{}
	var folders []string
	for i, row := range strings.Split(strings.TrimSpace(rows), "\n") {
		if i < 2 {
			continue // the heading and the rule below it
		}
		cells := strings.Split(strings.ReplaceAll(row, "`", ""), "|")
		if len(cells) != 4 {
			return nil, fmt.Errorf("%s: row %q must have two columns: folders, may import", tableFile, row)
		}
		if cell := strings.TrimSpace(cells[1]); cell != "" { // else the row goes on with the folders above
			folders = strings.Split(cell, ", ")
			for _, folder := range folders {
				if _, twice := allowed[folder]; twice {
					return nil, fmt.Errorf("%s: folder %s has two rows", tableFile, folder)
				}
				allowed[folder] = []string{}
			}
		}
		for _, other := range strings.Split(cells[2], ",") {
			for _, folder := range folders {
				if other = strings.TrimSpace(other); other != "nothing" {
					allowed[folder] = append(allowed[folder], other)
				}
			}
		}
	}
	if len(allowed) == 0 {
		return nil, fmt.Errorf("%s: the table of %s is empty", tableFile, name)
	}
	return allowed, nil
}

// quotedInclude matches an include of a file in a folder. The compiler searches cuda/ for it.
var quotedInclude = regexp.MustCompile(`(?m)^#include "([^/"]+)/`)

// includeFaults finds the includes between folders of cuda/ that the table of includes does not allow, and folders that
// only the table or only cuda/ has.
func includeFaults(r repository) (faults []string) {
	allowed, err := parseTable(r.text(tableFile), includeTable)
	if err != nil {
		return []string{err.Error()}
	}
	files := r.of(inC)
	folders := map[string]bool{}
	for _, f := range files {
		if f.isIn("cuda") {
			folders[cudaFolder(f.path)] = true
		}
	}
	for _, f := range files {
		may, listed := allowed[cudaFolder(f.path)]
		if !listed && folders[cudaFolder(f.path)] {
			faults = append(faults, fmt.Sprintf("%s is in no folder of the table in %s", f.path, tableFile))
		}
		for _, include := range quotedInclude.FindAllStringSubmatch(f.text, -1) {
			other := "cuda/" + include[1]
			if listed && folders[other] && other != cudaFolder(f.path) && !slices.Contains(may, other) {
				faults = append(faults,
					fmt.Sprintf("%s includes %s, which the table in %s does not allow", f.path, other, tableFile))
			}
		}
	}
	return append(faults, staleRows(allowed, folders)...)
}

// cudaFolder returns the folder of cuda/ that contains a file, perhaps in a subfolder such as cuda/emulator/cub.
func cudaFolder(file string) string {
	folders := strings.Split(path.Dir(file), "/")
	return strings.Join(folders[:min(2, len(folders))], "/")
}
