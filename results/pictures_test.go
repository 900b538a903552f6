// SPDX-License-Identifier: Apache-2.0

//go:build results

package results

import (
	"path/filepath"
	"testing"

	"g500/analysis/collect"
	"g500/analysis/report"
	"g500/internal/browsertest"
	"g500/internal/expect"
	"g500/lab/page"
	"g500/lab/study"
)

// The pictures of the documentation are figures of reports as the page saves them, with the newest version of
// each point. The flag -update draws them again (make pictures).
func TestPicturesAreOfTheResults(t *testing.T) {
	runs := report.New("runs", expect.Value(collect.Read(Unpack(t, ".", "h200x[24]/*")))(t))
	var studies []study.Result
	for _, dir := range expect.Value(filepath.Glob(filepath.Join(all(t), "*/*-lab-studies")))(t) {
		results, unread := study.Read(dir, nil)
		if studies = append(studies, results...); len(unread) > 0 {
			t.Fatalf("studies of %s: %q", dir, unread)
		}
	}
	b := browsertest.Start(t)
	for name, p := range map[string]report.Page{"bfs-rate-scale": runs, "lab-rates": page.Of("studies", studies)} {
		path := filepath.Join(t.TempDir(), "index.html")
		expect.Write(t, path, []byte(expect.Written(t, p.WriteHTML)))
		b.Open(path, browsertest.View{Width: 1280})
		expect.Golden(t, "../docs/pictures/"+name+".svg", b.Saved("#"+name+" .tools button:first-child"))
	}
	if files := expect.Value(filepath.Glob("../docs/pictures/*"))(t); len(files) != 2 {
		t.Errorf("%q has other pictures than those that this test draws", files)
	}
}
