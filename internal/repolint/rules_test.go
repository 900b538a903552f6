// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"os"
	"sync"
	"testing"

	"g500/internal/expect"
)

// rules return one sentence per place of a repository that breaks them.
var rules = map[string]func(repository) (faults []string){
	"imports":    importFaults,
	"includes":   includeFaults,
	"folders":    folderFaults,
	"comments":   commentFaults,
	"lengths":    lengthFaults,
	"columns":    columnFaults,
	"parameters": parameterFaults,
	"words":      wordFaults,
	"clock":      clockFaults,
	"threads":    threadFaults,
	"opens":      openFaults,
	"wrappers":   wrapperFaults,
	"goroutines": goroutineFaults,
	"budgets":    budgetFaults,
	"licences":   licenceFaults,
}

// ours reads this repository once for all tests.
var ours = sync.OnceValues(func() (repository, error) { return read(os.DirFS("../..")) })

func TestRules(t *testing.T) {
	files := expect.Value(ours())(t)
	for name, broken := range rules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, fault := range broken(files) {
				t.Error(fault)
			}
		})
	}
}
