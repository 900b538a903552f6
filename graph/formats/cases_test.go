// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"g500/internal/expect"
)

// oneWay is a text of the note on arcs that are searched in both directions.
const oneWay = "symmetric=no keeps the graph directed"

const folder = "testdata/cases/"

// answer is a row of answers.csv.
type answer struct{ file, spec, vertices, edges, weights, loops, duplicates, text string }

// read reports whether the file is read; else the text is in its refusal.
func (a answer) read() bool { return a.vertices != "" }

// answers returns the rows of answers.csv.
func answers(t *testing.T) (all []answer) {
	t.Helper()
	list := expect.Value(os.Open(folder + "answers.csv"))(t)
	defer list.Close()
	rows := expect.Value(csv.NewReader(list).ReadAll())(t)
	for _, r := range rows[1:] {
		spec := strings.TrimSuffix("file:"+folder+r[0]+","+r[1], ",")
		all = append(all, answer{r[0], spec, r[2], r[3], r[4], cmp.Or(r[5], "0"), cmp.Or(r[6], "0"), r[7]})
	}
	return all
}

// Each extension of a format and each packing has a file that is read, or a refusal that names its cure. The texts that
// list formats have all of them, also the guide.
func TestRowsOfFormatsHaveCases(t *testing.T) {
	var names []string
	for _, a := range answers(t) {
		if a.read() {
			names = append(names, a.file)
		}
	}
	has := func(extension string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name+".", extension+".") })
	}
	unknown, guide := expect.Value(os.ReadFile(folder+"g.tsv"))(t), expect.Read(t, "../../docs/GRAPHS.md")
	for _, f := range formats() {
		for _, extension := range f.extensions {
			if !has(extension) {
				t.Errorf("answers.csv has no file %s that is read", extension)
			}
			refused(t, "file:"+stored(t, "x.unknown", string(unknown)), extension, f.title, f.name)
			expect.Contains(t, guide, "`"+extension+"`")
		}
		expect.Contains(t, CheckPath("x.unknown").Error(), f.extensions[0])
	}
	for _, p := range packings() {
		if p.open != nil && !has(p.extension) {
			t.Errorf("answers.csv has no file %s that is read", p.extension)
		}
		if p.open == nil {
			content := strings.Repeat(" ", p.offset) + p.magic + "..."
			refused(t, "file:"+stored(t, "x.txt", content), p.name, "as by "+p.cure+" FILE")
		}
	}
}

// Every file of the collections' formats is read with the right counts, or refused with one clear sentence. Self-loops
// and duplicates are as maps count them in the graph that keeps both.
func TestFilesOfCollections(t *testing.T) {
	for _, a := range answers(t) {
		if !a.read() {
			refused(t, a.spec, a.text)
			continue
		}
		g, sum := made(t, a.spec), 0.0
		for _, w := range g.Weights {
			sum += float64(w) / 2
		}
		repeats := checkRepeats(t, a.spec)
		got := answer{a.file, a.spec, fmt.Sprint(g.Vertices()), fmt.Sprint(g.Edges()), fmt.Sprint(sum),
			fmt.Sprint(repeats.Loops), fmt.Sprint(repeats.Duplicates), a.text}
		if a.weights == "" {
			got.weights = ""
		}
		if got != a {
			t.Errorf("%+v, want %+v", got, a)
		}
		checkNotes(t, a.file, g, a.text)
	}
}

// checkNotes checks that a graph has no note if want is empty, else a note with that text.
func checkNotes(t *testing.T, name string, g *Graph, want string) {
	t.Helper()
	found := want == "" && len(g.Notes) == 0
	for _, note := range g.Notes {
		found = found || want != "" && strings.Contains(note, want)
		if !isSentence(note) {
			t.Errorf("%s: note %q", name, note)
		}
	}
	if !found {
		t.Errorf("%s: notes %q, want one with %q", name, g.Notes, want)
	}
}
