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
	expect.Equal(t, len(files) > 20, true, "files are found")
}

func TestEnvironmentOfRanksOfAProcess(t *testing.T) {
	const queues, loading = "CUDA_DEVICE_MAX_CONNECTIONS=", "CUDA_MODULE_LOADING="
	for _, c := range []struct {
		given []string
		ranks int
		want  string
	}{
		{[]string{"A=1"}, 1, "A=1"},
		{[]string{"A=1"}, 2, "A=1 " + queues + "32 " + loading + "EAGER"},
		{[]string{queues + "4", loading + "LAZY"}, 12, queues + "4 " + loading + "LAZY"},
	} {
		expect.Equal(t, strings.Join(gpuEnvironment(c.given, c.ranks), " "), c.want, c.ranks, "ranks", c.given)
	}
}

// The folder of an archive of stored runs is named by its set.
func TestNameOf(t *testing.T) {
	for dir, want := range map[string]string{"/a/first": "first", "results/h200/today/runs": "today", "/": "/"} {
		expect.Equal(t, nameOf(dir), want, dir)
	}
}
