// SPDX-License-Identifier: Apache-2.0

// Package results has stored runs, packed by machine and day, their tests (tag results), and Unpack for other tests.
package results

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Pack is the archive of a set of stored runs, in the set's folder.
const Pack = "runs.tar.gz"

// Unpack unpacks the sets below root, the path to this folder, whose names match a pattern such as h200x2/2026-11-26 or
// */*, below a temporary folder of the test. It returns that folder, which has the sets under the same names.
func Unpack(t testing.TB, root, sets string) (dir string) {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(sets), Pack))
	if err != nil || len(packs) == 0 {
		t.Fatalf("no set %s of stored runs in %s: %v", sets, root, err)
	}
	dir = t.TempDir()
	for _, pack := range packs {
		set := filepath.Join(dir, strings.TrimPrefix(filepath.Dir(pack), filepath.Clean(root)))
		if err := os.MkdirAll(set, 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("tar", "-xzf", pack, "-C", set, "--strip-components", "1").CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", pack, err, out)
		}
	}
	return dir
}
