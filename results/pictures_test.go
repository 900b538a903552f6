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

// The pictures of the documentation are drawn from results: of each point they have the newest version.
func TestPicturesAreOfTheResults(t *testing.T) {
	set, err := collect.Read(Unpack(t, ".", "h200x[24]/*"))
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
		var now bytes.Buffer
		if err = p.WriteSVG(&now); err == nil && *update {
			err = os.WriteFile(file, now.Bytes(), 0o644)
		}
		kept, err2 := os.ReadFile(file)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if now.String() != string(kept) {
			t.Errorf("%s differs from the picture drawn from results: make pictures", file)
		}
	}
}
