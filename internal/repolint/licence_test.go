// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// licence is in the first or, below the line of its interpreter, in the second line of each source file.
const licence = "SPDX-License-Identifier: Apache-2.0"

// TestMain writes the licence into the files that lack it, with the flag of expect.Golden, before the tests read them.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("update").Value.String() == "true" {
		files, err := read(os.DirFS("../.."))
		for _, f := range unlicensed(files) {
			if err == nil {
				err = os.WriteFile(filepath.Join("../..", f.path), []byte(licensed(f)), 0o755)
			}
		}
		if err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// licenceFaults finds the source files without the licence.
func licenceFaults(r repository) (faults []string) {
	for _, f := range unlicensed(r) {
		faults = append(faults, fmt.Sprintf("%s does not begin with %s: make golden writes it", f.path, licence))
	}
	return faults
}

// unlicensed returns the source files without the licence, except generated ones and scripts that are parts of a page.
func unlicensed(r repository) (files []textFile) {
	for _, f := range r.of(inGo, inC, inShell, inMake) {
		if linesOfLicence(f.text) == 0 && !generated.MatchString(f.text) {
			files = append(files, f)
		}
	}
	return files
}

// linesOfLicence returns the number of lines of the licence in a source file, with the empty one after it.
func linesOfLicence(text string) int {
	lines := strings.SplitN(text, "\n", 4)
	for i, line := range lines[:min(2, len(lines))] {
		if strings.HasSuffix(line, " "+licence) {
			if i+1 < len(lines) && lines[i+1] == "" {
				return 2
			}
			return 1
		}
	}
	return 0
}

// licensed returns the text of a file with the licence.
func licensed(f textFile) string {
	if f.kind == inGo || f.kind == inC {
		return "// " + licence + "\n\n" + f.text
	}
	first, rest, _ := strings.Cut(f.text, "\n")
	if strings.HasPrefix(first, "#!") {
		return first + "\n# " + licence + "\n" + rest
	}
	return "# " + licence + "\n" + f.text
}
