// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"testing"
)

// The generated files are current.
func TestFilesAreGenerated(t *testing.T) {
	files, err := generate("../keys.toml")
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for path, want := range files {
		if text, err := os.ReadFile(path); err != nil || string(text) != string(want) {
			t.Errorf("%s is not what lab/keys.toml says (%v): go generate ./lab", path, err)
		}
	}
}
