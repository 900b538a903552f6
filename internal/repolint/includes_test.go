// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

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
