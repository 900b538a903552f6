// SPDX-License-Identifier: Apache-2.0

//go:build results

package results

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"g500/analysis/collect"
	"g500/analysis/report"
	"g500/internal/browsertest"
	"g500/internal/expect"
	"g500/lab/page"
	"g500/lab/study"
	"g500/record"
)

// The pictures of the documentation are figures of reports as the page saves them, with the newest version of
// each point; that of the laboratory is of the machine that has all graphs. The flag -update draws them again (make
// pictures).
func TestPicturesAreOfTheResults(t *testing.T) {
	set := expect.Value(collect.Read(Unpack(t, ".", "h200x[24]/*")))(t)
	expect.Contains(t, expect.Read(t, "../README.md"), spanOf(set.Points))
	runs := report.New("runs", set)
	var studies []study.Result
	for _, dir := range expect.Value(filepath.Glob(filepath.Join(all(t), "h200/*-lab-studies")))(t) {
		results, unread := study.Read(dir, nil)
		studies = append(studies, results...)
		expect.Must(t, len(unread) == 0, "studies of %s: %q", dir, unread)
	}
	b := browsertest.Start(t)
	for name, p := range map[string]report.Page{"bfs-rate-scale": runs, "lab-rates": page.Of("studies", studies)} {
		b.Open(expect.File(t, "index.html", expect.Written(t, p.WriteHTML)), browsertest.View{Width: 1280})
		expect.Golden(t, "../docs/pictures/"+name+".svg", b.Saved("#"+name+" .tools button:first-child"))
	}
	pictures := expect.Value(filepath.Glob("../docs/pictures/*"))(t)
	expect.Equal(t, len(pictures), 2, "pictures, of which this test draws two", pictures)
}

// spanOf returns the first and last version and day of the points that the picture of rates has.
func spanOf(points []collect.Point) string {
	points = slices.DeleteFunc(slices.Clone(points), func(p collect.Point) bool {
		return p.Kind.Kernel != record.BFS || p.Kind.Unusual() != "" || p.Kind.Bits != 0
	})
	slices.SortFunc(points, func(a, b collect.Point) int { return a.Typical.Began.Compare(b.Typical.Began) })
	a, b := points[0], points[len(points)-1]
	return fmt.Sprintf("(%.7s to %.7s, %s to %s)", a.Program.Commit, b.Program.Commit, a.Day, b.Day)
}
