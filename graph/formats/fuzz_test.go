// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"g500/internal/expect"
)

// Any file is read as a consistent graph or refused with one sentence, within the memory limit.
func FuzzReaders(f *testing.F) {
	files := expect.Value(os.ReadDir("testdata/cases"))(f)
	options := []string{"", ",format=mtx", ",format=gr", ",format=metis", ",format=snap", ",columns=src,dst,weight",
		",symmetric=no,loops=keep"}
	names := []string{"x"}
	for _, form := range formats() {
		names = append(names, "x"+form.extensions[0])
	}
	names = append(names, "x.wel", "out.x", "x.csv")
	for _, file := range files {
		data := expect.Value(os.ReadFile("testdata/cases/" + file.Name()))(f)
		name := max(0, slices.Index(names, "x"+extensionOf(file.Name())))
		if len(data) <= headBytes {
			f.Add(data, byte(name), byte(0))
			f.Add(data, byte(name), byte(len(data)))
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, name, option byte) {
		path := filepath.Join(dir, names[int(name)%len(names)])
		expect.NoError(t, os.WriteFile(path, data, 0o600))
		const limit = 40 << 20
		g, err := mustParse(t, "file:"+path+options[int(option)%len(options)]).Make(t.Context(), 2, limit)
		if err != nil {
			if !isSentence(err.Error()) {
				t.Errorf("%q", err)
			}
			return
		}
		entriesOf(t, g)
		if n := g.Vertices(); n < 1 || len(g.Weights) > 0 && len(g.Weights) != len(g.Neighbours) {
			t.Errorf("%d vertices, %d neighbours, %d weights", n, len(g.Neighbours), len(g.Weights))
		}
	})
}
