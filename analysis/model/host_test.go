package model

import (
	"math"
	"testing"
)

// Peers push many edges through a bitmap, and read the rows of few in place; only ranks on several hosts send pairs.
func TestPeersMarkInLargeLevels(t *testing.T) {
	for _, c := range []struct {
		scale, ranks int
		pairs        bool
		rows         float64 // bytes, of all that a rank could read
	}{{28, 4, false, -1}, {22, 4, false, 1}, {31, 8, true, 0}} {
		m := predicted(t, c.scale, c.ranks, H200(), Bitmap)
		received := map[string]float64{}
		for _, l := range m.Steps[pushStep].Links {
			received[l.Form] += l.Received
		}
		if share := received["bins"] / pairBytes / m.Steps[firstSweep].Frontier; share > 0.1 != c.pairs {
			t.Errorf("scale %d, %d ranks: a rank takes in pairs for %.3f of the vertices found", c.scale, c.ranks, share)
		}
		foreign := m.Steps[pushStep].Edges * columnBytes * others(float64(c.ranks))
		if share := received["rows"] / foreign; c.rows >= 0 && math.Abs(share-c.rows) > 1e-9 ||
			c.rows < 0 && !(share > 0 && share < 1) {
			t.Errorf("scale %d, %d ranks: a rank reads %.3f of the peers' rows, not %.3f", c.scale, c.ranks, share, c.rows)
		}
	}
}

// Nothing goes round before or after a level whose frontier is replicated, and nobody waits.
func TestNobodyWaitsForWholeLevels(t *testing.T) {
	m := predicted(t, 22, 4, H200(), Bitmap)
	if wait := m.Steps[pushStep].Wait; wait != 0 {
		t.Errorf("ranks wait for %g s in barriers", wait)
	}
	if wait, one := m.Steps[firstSweep].Wait, m.Profile.Host.Barrier*1e-6; math.Abs(wait/one-1) > 0.01 {
		t.Errorf("the first sweep waits for %g s, a barrier takes %g s", wait, one)
	}
}

// What label order has not done beside the last levels is never less than it takes to end it.
func TestLabelOrderIsHiddenByLastLevels(t *testing.T) {
	p := H200()
	if left := predicted(t, 22, 4, p, Bitmap).Steps[labelOrder].Seconds(); left != p.Beside.Least*1e-6 {
		t.Errorf("%g s are left at scale 22", left)
	}
	p.Host.Ranks = 2 // on several hosts it follows them
	apart := predicted(t, 26, 4, p, Bitmap)
	l := layout{g: apart.Graph, mean: apart.Graph.shared, form: Bitmap, ranks: 4, host: 2}
	if got, want := apart.Steps[labelOrder].Seconds(), apart.alone(l, labelOrder); got != want {
		t.Errorf("%g s on two hosts, not %g", got, want)
	}
}
