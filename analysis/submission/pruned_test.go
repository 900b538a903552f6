package submission

import (
	"strings"
	"testing"

	"g500/internal/expect"
	"g500/record"
)

// ADR 19: a pruned run is submitted with the same run on an unpruned structure, of the same program on as many ranks.
func TestUnprunedRunIsTheSameRun(t *testing.T) {
	paths := func(prune string, change func(*record.Run, *record.Config)) Run {
		return made(t, "cpu", "sssp", func(r *record.Run, c *record.Config) {
			r.Kernels[0].Prune = prune
			if prune != "" {
				c.Search.Prune = prune
			}
			change(r, c)
		})
	}
	pruned := paths("hub", nothing)
	for want, change := range map[string]func(*record.Run, *record.Config){
		"": nothing,
		"its number of ranks is 2, and this run's is 1": func(r *record.Run, c *record.Config) {
			r.Ranks, c.Machine.Ranks, r.Environment.Nodes = 2, 2, []string{"n", "n"}
		},
		"its program is another, and": func(r *record.Run, _ *record.Config) {
			r.Environment.Program = record.NewProgram("another", "")
		},
	} {
		expect.NoError(t, pruned.AddUnpruned(paths("", change)))
		if got := prunedFault(pruned); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
