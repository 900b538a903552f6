// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"g500/internal/expect"
)

// Texts of both programs begin with the name of the one that prints them.
func TestTextsNameTheirProgram(t *testing.T) {
	files := expect.Value(filepath.Glob("*.go"))(t)
	for _, path := range files {
		if named := strings.Contains(expect.Read(t, path), `"g500`+`: `); named {
			t.Errorf("%s prints the name of one program", path)
		}
	}
	expect.Equal(t, len(files) > 10, true, "files are found")
}
