// SPDX-License-Identifier: Apache-2.0

//go:build (cuda && cgo) || emulated

package lab

import (
	"errors"
	"testing"

	"g500/internal/expect"
	"g500/lab"
	"g500/lab/pages"
)

// child returns a machine in a child process.
func child() *lab.Child { return &lab.Child{Program: childProgram, On: "a GPU"} }

// A batch of several runs that needs too many pages changes neither the graph nor its levels, nor the next batch.
func TestFullPagesAlsoEmulated(t *testing.T) {
	batches := expect.Value(pages.Read("- 0 1\n- 1 0\n-v 2\n+ 0 3\n+ 3 0\n+ 1 3\n+ 3 1\n+ 1 4\n+ 4 1\n" +
		"+ 0 1\n+ 1 0\n\n-v 4\n+ 2 0\n+ 0 2\n+ 4 3\n+ 3 4\n+ 3 8\n+ 8 3\n? 2 3\n+v 4\n+v 9\n+ 4 1\n+ 1 4\n"))(t)
	layout := pages.Layout{PageBytes: 4, Spare: 1}
	m, plain := &pages.GPU{Child: child(), Layout: layout}, pages.NewGraph(layout)
	ring := &lab.Graph{Offsets: []int64{0, 2, 4, 6, 8, 10}, Columns: []uint32{1, 4, 0, 2, 1, 3, 2, 4, 0, 3}}
	expect.NoError(t, errors.Join(m.Load(ring), m.Follow(0), plain.Load(ring)))
	same := func(after string, wantLevels ...uint32) {
		want, _ := plain.Rows()
		expect.Equal(t, expect.Value(m.Rows())(t), want, after)
		expect.Equal(t, expect.Value(m.Levels())(t), wantLevels, after)
		expect.Equal(t, m.PagesFree(), plain.PagesFree(), after)
	}
	if _, err := m.Apply(batches[0]); !errors.Is(err, pages.ErrFull) {
		t.Error(err)
	}
	same("the batch that needs too many pages", 0, 1, 2, 2, 1)
	done, err := m.Apply(batches[1])
	want, _ := plain.Apply(batches[1])
	expect.NoError(t, err)
	expect.Equal(t, done.Tally, want)
	same("the next batch", 0, 1, 1, 2, 2)
	expect.NoError(t, m.Close())
}
