//go:build results

package results

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"g500/analysis/collect"
	"g500/analysis/plot"
	"g500/lab/page"
	"g500/lab/study"
)

// The pictures of the documentation are drawn from results, those of runs from one set of one commit.
func TestPicturesAreOfTheResults(t *testing.T) {
	set, err := collect.Read(filepath.Join(all(t), "h200x2/2026-11-26"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../docs/pictures/*.svg")
	if err != nil || len(files) == 0 {
		t.Fatalf("no picture (%v)", err)
	}
	drawn := map[string]*plot.Picture{}
	for _, p := range plot.Of(set) {
		drawn[p.Name+".svg"] = p
	}
	studies, err := filepath.Glob(filepath.Join(all(t), "*/*-lab-studies"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range studies {
		results, unread := study.Read(dir)
		if len(results) == 0 || len(unread) > 0 {
			t.Fatalf("no study in %s %q", dir, unread)
		}
		p := page.Rates(results)
		drawn[p.Name+".svg"] = p
	}
	for _, file := range files {
		p := drawn[filepath.Base(file)]
		if p == nil {
			t.Errorf("%s can no longer be drawn from results", file)
			continue
		}
		kept, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var now bytes.Buffer
		if err := p.WriteSVG(&now); err != nil {
			t.Fatal(err)
		}
		if now.String() != string(kept) {
			t.Errorf("%s differs from the picture drawn from results: make pictures", file)
		}
	}
}
