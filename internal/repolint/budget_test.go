// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"fmt"
	"regexp"
	"strings"
)

// budget limits the lines of a part of the repository. A rise of a limit needs a line in an ADR; a change that leaves a
// part smaller lowers its limit.
type budget struct {
	part  string
	limit int
	goal  int // of the next release
	has   func(f textFile, ofTests bool) bool
}

var budgets = []budget{
	{"Go of the benchmark", 46_500, 46_500, func(f textFile, ofTests bool) bool {
		return f.kind == inGo && !ofTests && !ofLab(f)
	}},
	{"tests of the benchmark", 27_978, 26_500, func(f textFile, ofTests bool) bool { return ofTests && !ofLab(f) }},
	{"Go of the laboratory", 6_758, 6_000, func(f textFile, ofTests bool) bool {
		return f.kind == inGo && !ofTests && ofLab(f)
	}},
	{"tests of the laboratory", 2_334, 2_300, func(f textFile, ofTests bool) bool { return ofTests && ofLab(f) }},
	{"CUDA without emulator and laboratory", 17_478, 16_000, func(f textFile, _ bool) bool {
		return f.kind == inC && f.isIn("cuda") && !f.isIn("cuda/emulator") && !ofLab(f)
	}},
	{"documents without references", 2_400, 2_400, func(f textFile, _ bool) bool {
		return f.isIn("docs") && f.kind == inMarkdown && !references.MatchString(f.path)
	}},
}

// references matches the documents that are looked up, not read: generated ones, messages, forms of graph files, and
// those of the laboratory.
var references = regexp.MustCompile(`^docs/(FLAGS|LAB_FLAGS|PRESETS|ERRORS|GRAPHS|LAB|PAPERS)\.md$`)

// ofTheLab matches the files of the laboratory: its packages with its page and program, its kernels and their calls.
var ofTheLab = regexp.MustCompile(`^(lab|gpu/lab|cmd/g500-lab|cuda/(lab|color|pages))/`)

// programFolders returns the folders of the programs that users and generators run, and of all packages that these
// import. The programs below internal only test, so code that only they and tests import is code of tests.
func programFolders(r repository) map[string]bool {
	imports, reached := map[string][]string{}, map[string]bool{}
	var next []string
	for _, f := range r.sources() {
		imports[f.folder()] = append(imports[f.folder()], ourImports(f)...)
		if f.Name.Name == "main" && !f.isIn("internal") {
			next = append(next, f.folder())
		}
	}
	for len(next) > 0 {
		folder := next[0]
		next = next[1:]
		if !reached[folder] {
			reached[folder] = true
			next = append(next, imports[folder]...)
		}
	}
	return reached
}

func ofLab(f textFile) bool { return ofTheLab.MatchString(f.path) }

// generated matches the line that marks generated files, which do not count.
var generated = regexp.MustCompile(`(?m)^(//|/\*|#) Code generated .* DO NOT EDIT\.`)

// budgetFaults finds the parts of the repository with more lines than their budgets.
func budgetFaults(r repository) (faults []string) {
	ofPrograms := programFolders(r)
	for _, b := range budgets {
		lines := 0
		for _, f := range r {
			ofTests := f.isTest() || f.kind == inGo && !ofPrograms[f.folder()]
			if b.has(f, ofTests) && !generated.MatchString(f.text) {
				lines += strings.Count(f.text, "\n") - linesOfLicence(f.text)
			}
		}
		if lines > b.limit {
			faults = append(faults, fmt.Sprintf("%s: %d lines, more than %d: remove some, or give the reason in an ADR "+
				"and raise the limit (the goal is %d)", b.part, lines, b.limit, b.goal))
		}
	}
	return faults
}

// licence is in the first or, below the line of its interpreter, in the second line of each source file.
const licence = "SPDX-License-Identifier: Apache-2.0"

// licenceFaults finds the source files without the licence, except generated ones and scripts that are parts of a page.
func licenceFaults(r repository) (faults []string) {
	for _, f := range r.of(inGo, inC, inShell, inMake) {
		if linesOfLicence(f.text) == 0 && !generated.MatchString(f.text) {
			faults = append(faults, fmt.Sprintf("%s does not begin with %s", f.path, licence))
		}
	}
	return faults
}

var licensed = regexp.MustCompile(`^(?:#!.*\n)?((?://|#) ` + licence + `\n\n?)`)

// linesOfLicence returns the number of lines of the licence in a source file, with the empty one after it.
func linesOfLicence(text string) int {
	if m := licensed.FindStringSubmatch(text); m != nil {
		return strings.Count(m[1], "\n")
	}
	return 0
}
