// SPDX-License-Identifier: Apache-2.0

package browsertest

import (
	_ "embed"
	"strings"
)

// Views are the windows in which a page must be legible.
var Views = func() (all []View) {
	for _, width := range []int{420, 1280, 1920} {
		all = append(all, View{Width: width}, View{Width: width, Dark: true})
	}
	return append(all, View{Width: 420, NoScript: true}, View{Width: 1280, NoScript: true, Dark: true})
}()

//go:embed legible.js
var legible string

// IsLegible opens a page of g500 report in each window and reports its faults: the page's script ended early, texts are
// small, lack contrast or are outside the window, texts of figures overlap, or the browser's console has messages.
func (b *Browser) IsLegible(path string, views ...View) {
	b.t.Helper()
	for _, view := range views {
		b.Open(path, view)
		var found struct {
			Faults []string
			Loaded float64
			Ready  bool
		}
		b.Eval(legible, &found)
		if len(found.Faults) > 0 {
			b.t.Errorf("%s:\n%s", view.Name(), strings.Join(found.Faults, "\n"))
		}
		if !view.NoScript && !found.Ready {
			b.t.Errorf("%s: the page's script did not reach its end", view.Name())
		}
		if said := b.Console(); said != "" {
			b.t.Errorf("%s: the browser's console has messages:\n%s", view.Name(), said)
		}
		b.t.Logf("%s: loaded in %.0f ms", view.Name(), found.Loaded)
	}
}
