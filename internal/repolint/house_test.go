package repolint

import (
	"io/fs"
	"os"
	"testing"
)

// A rule looks at a tree of files and returns a sentence for each place where it is broken.
type rule func(tree fs.FS) (faults []string, err error)

var rules = map[string]rule{
	"imports":    importFaults,
	"includes":   includeFaults,
	"comments":   commentFaults,
	"lengths":    lengthFaults,
	"columns":    columnFaults,
	"parameters": parameterFaults,
	"words":      wordFaults,
	"clock":      clockFaults,
	"wrappers":   wrapperFaults,
}

func TestHouse(t *testing.T) {
	for name, broken := range rules {
		t.Run(name, func(t *testing.T) {
			faults, err := broken(os.DirFS("../.."))
			if err != nil {
				t.Fatal(err)
			}
			for _, fault := range faults {
				t.Error(fault)
			}
		})
	}
}
