package record

import (
	"testing"

	"g500/internal/expect"
)

// onTwoNodes has four ranks on two nodes, each with a GPU.
func onTwoNodes() *Run {
	return &Run{Ranks: 4, Environment: Environment{
		Nodes:       []string{"a", "a", "b", "b"},
		RankDevices: []string{"GPU 0", "GPU 1", "GPU 0", "GPU 1"},
	}}
}

func TestSlowRanksAndNodesAreNamed(t *testing.T) {
	const cure = ": compare its clocks and its other processes"
	for _, c := range []struct {
		name    string
		seconds []float64
		want    []string
	}{
		{"alike", []float64{10, 10.2, 10.1, 11}, nil},
		{"no times", nil, nil},
		{"one rank", []float64{10, 10, 15, 10},
			[]string{"rank 2 (b, GPU 0): graph generation took 15.0 s, 1.50 times the median rank's" + cure}},
		{"a node", []float64{10, 10, 20, 30},
			[]string{"all 2 ranks of node b: graph generation took 30.0 s, 3.00 times the median rank's" + cure}},
		{"a difference that is noise", []float64{0.01, 0.01, 0.09, 0.01}, nil},
	} {
		r := onTwoNodes()
		r.RankGenerationSeconds = c.seconds
		expect.Equal(t, r.Slow(), c.want, c.name)
	}
}

// The last rank of the traced run computes for twice as long as the others.
func TestTracesNameTheSlowRank(t *testing.T) {
	r := traced()
	r.Environment.Nodes = []string{"a", "a", "b"}
	want := []string{"rank 2 (b): computing in searches took 2.42 ms, 1.82 times the median rank's: " +
		"compare its clocks and its other processes"}
	expect.Equal(t, r.Slow(), want)
	expect.Equal(t, tracedAlone().Slow(), nil)
}
