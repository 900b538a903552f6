// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"fmt"
	"slices"
)

// opens has the functions that open a file of any kind and size, wait for the writer of a pipe, or take a user's path
// for a pattern, by their package.
var opens = map[string][]string{
	"os":                         {"ReadFile", "Open"},
	"path/filepath":              {"Glob"},
	"github.com/BurntSushi/toml": {"DecodeFile"},
}

// mayOpen has the folders and files that may: internal/infile itself, readers of the kernel's files or of this
// repository's, and tools.
var mayOpen = []string{"internal/infile", "internal/machine", "internal/power", "bfs/bfstest", "internal/browsertest",
	"internal/jobtest", "internal/mutationtest", "internal/schematest", "cmd/cli/gpuprogram.go", "cmd/cli/clitest",
	"comm/launch.go", "lab/keygen", "policy/generate", "results", "internal/expect"}

// openFaults finds the places that open files without internal/infile. Tests are exempt.
func openFaults(r repository) (faults []string) {
	for _, f := range r.sources() {
		if slices.Contains(mayOpen, f.folder()) || slices.Contains(mayOpen, f.path) {
			continue
		}
		for pkg, functions := range opens {
			for _, use := range uses(f, pkg, functions...) {
				faults = append(faults, fmt.Sprintf("%s:%d has %s.%s: open files of users by internal/infile",
					f.path, f.line(use.Pos()), pkg, use.Sel.Name))
			}
		}
	}
	return faults
}
