// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const tableFile = "docs/ARCHITECTURE.md"

// importFaults finds the imports that the import table does not allow, and folders that only one of both has.
func importFaults(r repository) []string {
	return faultsOfTable(r.text(tableFile), "imports", r.sources(), textFile.folder, ourImports)
}

// includeFaults finds the includes between folders of cuda/ that the table of includes does not allow, and folders that
// only the table or only cuda/ has.
func includeFaults(r repository) []string {
	quotedInclude := regexp.MustCompile(`(?m)^#include "([^/"]+)/`) // of a file in a folder, which is searched in cuda/
	files := slices.DeleteFunc(r.of(inC), func(f textFile) bool { return !f.isIn("cuda") })
	return faultsOfTable(r.text(tableFile), "includes", files, cudaFolder, func(f textFile) (folders []string) {
		for _, include := range quotedInclude.FindAllStringSubmatch(f.text, -1) {
			if folder := "cuda/" + include[1]; folder != cudaFolder(f) {
				folders = append(folders, folder)
			}
		}
		return folders
	})
}

// cudaFolder returns the folder of cuda/ that contains a file, perhaps in a subfolder such as cuda/emulator/cub.
func cudaFolder(f textFile) string {
	folders := strings.Split(f.folder(), "/")
	return strings.Join(folders[:min(2, len(folders))], "/")
}

// faultsOfTable finds what a table does not allow, and folders that only the table or only the files have. uses returns
// the folders that a file imports or includes.
func faultsOfTable(text, table string, files []textFile, folderOf func(textFile) string,
	uses func(textFile) []string) (faults []string) {
	allowed, folders := parseTable(text, table), map[string]bool{}
	for _, f := range files {
		folders[folderOf(f)] = true
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		if _, listed := allowed[folder]; !listed {
			faults = append(faults, fmt.Sprintf("folder %s is missing from the table of %s in %s", folder, table, tableFile))
		}
	}
	for _, f := range files {
		for _, folder := range uses(f) {
			if may, listed := allowed[folderOf(f)]; listed && folders[folder] && !slices.Contains(may, folder) {
				faults = append(faults, fmt.Sprintf("%s uses %s, which the table of %s in %s does not allow", f.path, folder,
					table, tableFile))
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(allowed)) {
		for _, other := range append(allowed[folder], folder) {
			if !folders[other] {
				faults = append(faults, fmt.Sprintf("row %s in %s has %s, which has no file", folder, tableFile, other))
			}
		}
	}
	return faults
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

var (
	tableRow = regexp.MustCompile("(?m)^\\| (`.*` )?\\| (.*) \\|$")
	named    = regexp.MustCompile("`([^`]+)`")
)

// parseTable returns for each folder of a table the folders that it may import or include. A table is between the marks
// <!-- name --> and <!-- /name -->, which Markdown does not show. Each row names folders, or continues the row above,
// and then the folders that they may import or include, if there are any.
func parseTable(text, name string) map[string][]string {
	_, rows, _ := strings.Cut(text, "<!-- "+name+" -->")
	rows, _, _ = strings.Cut(rows, "<!-- /"+name+" -->")
	allowed := map[string][]string{}
	var folders [][]string
	for _, row := range tableRow.FindAllStringSubmatch(rows, -1) {
		if row[1] != "" {
			folders = named.FindAllStringSubmatch(row[1], -1)
		}
		for _, folder := range folders {
			may := allowed[folder[1]]
			for _, other := range named.FindAllStringSubmatch(row[2], -1) {
				may = append(may, other[1])
			}
			allowed[folder[1]] = may
		}
	}
	return allowed
}
