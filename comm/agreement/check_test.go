// SPDX-License-Identifier: Apache-2.0

package agreement

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"g500/comm"
	"g500/internal/expect"
)

// check calls Check on one rank per declaration, and returns the error, which must be the same on all ranks.
func check(t *testing.T, all ...Declaration) error {
	t.Helper()
	errs := make([]error, len(all))
	expect.NoError(t, comm.Loopback(len(all), func(tr comm.Transport) error {
		errs[tr.Rank()] = Check(tr, all[tr.Rank()])
		return nil
	}))
	for r, err := range errs {
		expect.Equal(t, fmt.Sprint(err), fmt.Sprint(errs[0]), "rank", r)
	}
	return errs[0]
}

func on(node string, values ...string) Declaration {
	d := Declaration{Node: node}
	for i, value := range values {
		d.Settings = append(d.Settings, Setting{Name: fmt.Sprint("setting ", i), Value: value, Optional: i == 2})
	}
	return d
}

func TestFirstDifferenceIsNamedOnAllRanks(t *testing.T) {
	cured := Declaration{Settings: []Setting{{Name: "the program", Value: "a", Cure: "install it"}}}
	other := Declaration{Settings: []Setting{{Name: "the program", Value: "b", Cure: "install it"}}}
	for _, c := range []struct {
		meaning string
		ranks   []Declaration
		want    string // "" for no error
	}{
		{"one rank", []Declaration{on("n", "1")}, ""},
		{"equal", []Declaration{on("n", "1", "2"), on("m", "1", "2"), on("n", "1", "2")}, ""},
		{"one rank differs", []Declaration{on("n", "1", "2"), on("n", "1", "2"), on("n", "1", "3")},
			"the ranks differ: setting 1 is 2 on rank 0 and 3 on rank 2: start all ranks with the same flags"},
		{"rank 0 differs", []Declaration{on("n", "1"), on("n", "2"), on("n", "2"), on("n", "3"), on("n", "2")},
			"setting 0 is 1 on rank 0 and 2 on ranks 1-2, 4:"},
		{"nodes are named", []Declaration{on("n", "1"), on("m", "2")},
			"setting 0 is 1 on rank 0 (node n) and 2 on rank 1 (node m)"},
		{"not set", []Declaration{on("n", ""), on("n", "file")}, "setting 0 is not set on rank 0 and file on rank 1"},
		{"an optional value", []Declaration{on("n", "1", "2", "x"), on("n", "1", "2", "")}, ""},
		{"two values of an optional setting", []Declaration{on("n", "1", "2", "x"), on("n", "1", "2", "y")},
			"setting 2 is x on rank 0 and y on rank 1"},
		{"rank 1 does not have a setting", []Declaration{on("n", "1", "2"), on("n", "1")},
			"setting 1 is 2 on rank 0 and unknown on rank 1"},
		{"rank 0 does not have a setting", []Declaration{on("n", "1"), on("n", "1", "2")},
			"setting 1 is unknown on rank 0 and set on rank 1: install the same program"},
		{"another cure", []Declaration{cured, other}, "the program is a on rank 0 and b on rank 1: install it"},
	} {
		expect.Error(t, check(t, c.ranks...), c.want, c.meaning)
	}
}

// file creates a file with a modification time in a new folder.
func file(t *testing.T, content string, modified int64) File {
	t.Helper()
	path := expect.File(t, "file", content)
	expect.NoError(t, os.Chtimes(path, time.Time{}, time.Unix(modified, 0)))
	return Look("the edge file", path)
}

func TestFilesAreComparedBySizeThenTimeThenContent(t *testing.T) {
	folder, missing := Look("the edge file", t.TempDir()), Look("the edge file", filepath.Join(t.TempDir(), "missing"))
	for _, c := range []struct {
		meaning string
		files   []File
		want    string
	}{
		{"missing on all ranks, which reading reports", []File{missing, missing}, ""},
		{"missing on one rank", []File{file(t, "edges", 1), missing},
			"is 5 bytes long on rank 0 and unreadable (no such file or directory) on rank 1"},
		{"a folder on one rank", []File{file(t, "edges", 1), folder}, "and not a regular file on rank 1"},
		{"another size", []File{file(t, "edges", 1), file(t, "edges", 1), file(t, "edge", 1)},
			"is 5 bytes long on rank 0 and 4 bytes long on rank 2: all ranks must read the same file"},
		{"a copy with another time", []File{file(t, "edges", 1), file(t, "edges", 2)}, ""},
		{"another file of the same size", []File{file(t, "edges", 1), file(t, "edges", 1), file(t, "seeds", 2)},
			"the digest of the edge file"},
		{"a pipe on rank 0, which alone reads it", []File{Look("the edge file", "/dev/null"), missing}, ""},
	} {
		var all []Declaration
		for _, f := range c.files {
			all = append(all, Declaration{Files: []File{f}})
		}
		expect.Error(t, check(t, all...), c.want, c.meaning)
	}
}

// The first and the last byte of a long file belong to samples.
func TestSamplesReachBothEndsOfLongFiles(t *testing.T) {
	const size = sampledBytes + 3<<20 + 1
	digests := map[string]bool{}
	for _, changed := range []int64{-1, 0, size - 1} {
		path := filepath.Join(t.TempDir(), "file")
		file := expect.Value(os.Create(path))(t)
		expect.NoError(t, file.Truncate(size)) // a sparse file
		if changed >= 0 {
			expect.NoError(t, expect.Err(file.WriteAt([]byte{1}, changed)))
		}
		expect.NoError(t, file.Close())
		digests[Look("", path).sample()] = true
	}
	expect.Equal(t, len(digests), 3, "different digests of 3 files")
}

// A program with another message format gets an error, as rank 0 does.
func TestMessagesOfAnotherProgram(t *testing.T) {
	errs := make([]error, 2)
	expect.NoError(t, comm.Loopback(2, func(tr comm.Transport) error {
		if tr.Rank() == 0 {
			errs[0] = Check(tr, on("n", "1"))
			return nil
		}
		if _, err := tr.AllToAll([][]byte{[]byte("g500 ranks 2\n"), nil}); err != nil {
			return err
		}
		got, err := tr.AllToAll(make([][]byte, 2))
		if err != nil {
			return err
		}
		var v verdict
		errs[1] = decode(got[0][1:], &v)
		return nil
	}))
	for r, err := range errs {
		expect.That(t, err != nil && err.Error() == errFormat.Error(), "rank %d gets %v", r, err)
	}
}
