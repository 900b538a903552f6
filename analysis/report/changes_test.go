package report

import (
	"testing"

	"g500/analysis/collect"
	"g500/record"
)

// Points of the last day are compared with the version before, not with older ones, and not with other points.
func TestChanges(t *testing.T) {
	fast, slow := kindOf("fast", record.BFS), kindOf("slow", record.BFS)
	points := collect.NewSet([]*collect.Run{
		valid(fast, 20, 1, "18", 1, 1, 1), valid(fast, 20, 1, "19", 10, 10.1, 10.2), valid(fast, 20, 1, "21", 12, 12.1, 12.3),
		valid(fast, 21, 1, "19", 10, 10, 10), valid(fast, 21, 1, "21", 5, 5.1, 5),
		valid(fast, 22, 1, "19", 8, 10, 12), valid(fast, 22, 1, "21", 10, 12, 8),
		valid(fast, 23, 1, "18", 1, 2, 3), valid(fast, 23, 1, "19", 3, 4, 5), // not of the last day
		valid(fast, 24, 1, "21", 1, 2, 3), // no version before
		valid(slow, 20, 1, "18", 1, 1.01, 1), valid(slow, 20, 1, "20", 2, 2.01, 2),
	}).Points
	changes := changesOf(points, machinesOf(points))
	var got []string
	for _, c := range changes {
		got = append(got, c.Machine+" "+c.Sign()+" "+c.From+" "+c.To+" "+c.Before+" "+c.Now+" "+c.Kernel1)
	}
	for i, want := range []string{
		"fast up 19 21 10.1 12.1 +0.0%", "fast ambiguous 19 21 9.73 9.73 +0.0%", "fast down 19 21 10.0 5.03 +0.0%",
		"slow up 18 20 1.00 2.00 +0.0%",
	} {
		if i >= len(got) || got[i] != want {
			t.Errorf("change %d of %q, want %s", i, got, want)
		}
	}
	sums := summarise(changes)
	if len(got) != 4 || len(sums) != 2 || sums[0].Faster != 1 || sums[0].Slower != 1 || sums[0].Ambiguous != 1 ||
		sums[0].Largest.Scale != 21 || sums[1].Counts() != "1 faster" {
		t.Errorf("%q\n%+v", got, sums)
	}
}
