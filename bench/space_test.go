package bench

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/internal/machine"
	"g500/report"
)

// 64 trees of scale 10 take 512 KiB. They are refused before anything is made, and taken where they just fit.
func TestTreesThatDoNotFitOnTheDiskAreRefused(t *testing.T) {
	defer func() { freeSpace = machine.FreeSpace }()
	c := config(10)
	c.Output.Trees = true
	for _, free := range []int64{64*8<<10 - 1, 64 * 8 << 10} {
		dir := t.TempDir()
		c.Output.Dir = filepath.Join(dir, "new", "out")
		freeSpace = func(asked string) (int64, bool) {
			if asked != dir {
				t.Errorf("asked for the space of %s, not of %s, which exists", asked, dir)
			}
			return free, true
		}
		got, err := run(context.Background(), 2, hybrid(c))
		if free == 64*8<<10 {
			if err != nil || got.Status != report.Valid {
				t.Errorf("%d bytes are free, and the run ended with %v", free, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), "takes 512 KiB of disk") {
			t.Errorf("%d bytes are free, and the run ended with %v", free, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
			t.Error("the output folder was made")
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
