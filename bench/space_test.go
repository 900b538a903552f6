package bench

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/internal/machine"
	"g500/record"
)

// 64 trees of scale 10 take 512 KiB, 64 results of shortest paths 768 KiB. The run starts only if they fit on the disk.
func TestTreesThatDoNotFitOnTheDiskAreRefused(t *testing.T) {
	defer func() { freeSpace = machine.FreeSpace }()
	for kernel, takes := range map[string]int64{"bfs": 4 << 10, "sssp": 6 << 10, "both": 10 << 10} {
		c := configOf(kernel, 8)
		c.Search.Keys = 2
		c.Output.Trees = true
		for _, free := range []int64{takes - 1, takes} {
			dir := t.TempDir()
			c.Output.Dir = filepath.Join(dir, "new", "out")
			freeSpace = func(asked string) (int64, bool) {
				if asked != dir {
					t.Errorf("asked for the space of %s, not of %s, which exists", asked, dir)
				}
				return free, true
			}
			got, err := run(context.Background(), 2, hybrid(c))
			if free == takes {
				if err != nil || got.Status != record.Valid {
					t.Errorf("%s: %d bytes are free, and the run ended with %v", kernel, free, err)
				}
				continue
			}
			if err == nil || !strings.Contains(err.Error(), "takes "+Bytes(takes)+" of disk") {
				t.Errorf("%s: %d bytes are free, and the run ended with %v", kernel, free, err)
			}
			if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
				t.Error("the output folder was made")
			}
		}
	}
}

// Three labels of up to ten digits take 33 bytes, in addition to a tree.
func TestLabelsThatDoNotFitOnTheDiskAreRefused(t *testing.T) {
	defer func() { freeSpace = machine.FreeSpace }()
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("7 9000000000\n7 8\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, trees := range []bool{false, true} {
		takes := int64(33)
		if trees {
			takes += 8 * 4 // scale 2
		}
		for _, free := range []int64{takes - 1, takes} {
			freeSpace = func(string) (int64, bool) { return free, true }
			s := hybrid(config(8))
			s.Config.Graph.Spec, s.Config.Search.Keys = "file:"+file+",labels=renumber", 1
			s.Config.Output.Dir, s.Config.Output.Trees = filepath.Join(t.TempDir(), "out"), trees
			s.Graph, _ = NewSpecGraph(s.Config)
			_, err := run(context.Background(), 2, s)
			if fits := free == takes; fits != (err == nil) || !fits && !strings.Contains(err.Error(), "of disk") {
				t.Errorf("%d bytes are free of %d, and the run ended with %v", free, takes, err)
			}
		}
	}
}

func TestDiskThatTellsNothingIsTaken(t *testing.T) {
	defer func() { freeSpace = machine.FreeSpace }()
	freeSpace = func(string) (int64, bool) { return 0, false }
	if err := CheckSpace(t.TempDir(), 1<<60); err != nil {
		t.Error(err)
	}
}
