package bench

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/record"
)

// A run on a pruned structure is valid, counts the same edges, and has the pruning in each of its files.
func TestPrunedRun(t *testing.T) {
	cfg := configOf("both", 10)
	cfg.Search.Prune = "hub"
	cfg.Output.Dir = t.TempDir()
	got, err := run(context.Background(), 2, hybrid(cfg))
	if err != nil || got.Status != record.Valid || got.Pruned() != "hub" {
		t.Fatalf("%v, %s, pruned by %q", err, got.Verdict(), got.Pruned())
	}
	for _, s := range got.KernelRun(record.SSSP).Searches {
		if s.Edges != 16239 || s.Reached != 897 {
			t.Errorf("%+v", s)
		}
	}
	for file, want := range map[string]string{
		"run.json": `"prune": "hub"`, "sssp.csv": ",hub\n", "official.txt": "sssp prune:                     hub\nVALID",
	} {
		text, err := os.ReadFile(filepath.Join(cfg.Output.Dir, file))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s does not have %q (%v)", file, want, err)
		}
	}
	if stored, err := record.Read(cfg.Output.Dir); err != nil || stored.CompareFiles(cfg.Output.Dir) != nil {
		t.Errorf("the files do not agree: %v, %v", err, stored.CompareFiles(cfg.Output.Dir))
	}
}
