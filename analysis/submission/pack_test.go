// SPDX-License-Identifier: Apache-2.0

package submission

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/internal/expect"
	"g500/record"
)

var packed = []string{"README", "SHA256SUMS", "official.txt", "output.txt", "rules.txt", "run.json", "searches.csv",
	"system.txt"}

func TestFolder(t *testing.T) {
	r := opened(t, kept)
	dir := filepath.Join(t.TempDir(), "entry")
	expect.NoError(t, r.Pack(dir, r.Check()))
	got := map[string]string{}
	for _, name := range packed {
		got[name] = expect.Read(t, filepath.Join(dir, name))
	}
	expect.Equal(t, got["run.json"], string(expect.Value(record.Stored(kept))(t)))
	expect.Equal(t, got["searches.csv"], expect.Read(t, filepath.Join(kept, "searches.csv")))
	expect.Contains(t, got["official.txt"], "bfs  harmonic_mean_TEPS:     !  3.4")
	expect.Contains(t, got["output.txt"], "bfs_harmonic_mean_TEPS:         3.4")
	lines := strings.Split(strings.TrimSpace(got["SHA256SUMS"]), "\n")
	expect.Equal(t, len(lines), len(packed)-2) // without the list itself and system.txt
	for _, line := range lines {
		sum, name, _ := strings.Cut(line, "  ")
		expect.Equal(t, sum, fmt.Sprintf("%x", sha256.Sum256([]byte(got[name]))), name)
	}
	expect.Error(t, r.Pack(dir, r.Check()), " exists")
}

// An archive has the folder's files, and the same run gives the same bytes.
func TestArchives(t *testing.T) {
	r := opened(t, kept)
	for _, name := range []string{"entry.tar", "entry.tar.gz", "entry.tgz"} {
		one, two := filepath.Join(t.TempDir(), name), filepath.Join(t.TempDir(), name)
		expect.NoError(t, errors.Join(r.Pack(one, r.Check()), r.Pack(two, r.Check())))
		text := expect.Read(t, one)
		expect.Equal(t, text == expect.Read(t, two), true, "two archives of one run:", name)
		var in io.Reader = strings.NewReader(text)
		if strings.HasSuffix(name, "gz") {
			in = expect.Value(gzip.NewReader(in))(t)
		}
		var names []string
		for archive := tar.NewReader(in); ; {
			head, err := archive.Next()
			if err == io.EOF {
				break
			}
			expect.NoError(t, err)
			names = append(names, strings.TrimPrefix(head.Name, "entry/"))
		}
		if slices.Sort(names); !slices.Equal(names, packed) {
			t.Errorf("%s holds %q, want %q", name, names, packed)
		}
	}
}

// A failed attempt leaves no file behind.
func TestPackingThatFails(t *testing.T) {
	r, dir := opened(t, kept), t.TempDir()
	expect.Error(t, r.Pack(filepath.Join(dir, "entry.zip"), r.Check()), ".tar.gz")
	broken := stored(t, func(r *record.Run, _ *record.Config) { r.GenerationSeconds = 0 })
	expect.Error(t, broken.Pack(filepath.Join(dir, "entry"), broken.Check()), "the run breaks a rule, and is not packed")
	r.Environment.Started = "yesterday"
	if err := r.Pack(filepath.Join(dir, "entry.tar"), r.Check()); err == nil || strings.Count(err.Error(), "date") != 1 {
		t.Errorf("a run without a date: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
