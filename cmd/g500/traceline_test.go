package main

import (
	"slices"
	"testing"

	"g500/record"
)

func TestTraceLine(t *testing.T) {
	for _, c := range []struct {
		meaning string
		step    record.Level
		want    string
	}{
		{"of an engine that tells the variant",
			record.Level{Step: "bottom-up", Variant: "pull-residual", Seconds: 100e-6, Frontier: 5},
			"  bottom-up     100 us, frontier 5, edges 0, pull-residual"},
		{"of one that does not", record.Level{Step: "top-down", Seconds: 20e-6, Frontier: 1, Edges: 7},
			"  top-down     20.0 us, frontier 1, edges 7"},
		{"quicker than the clock", record.Level{Step: "top-down", Frontier: 1},
			"  top-down      0.00 s, frontier 1, edges 0"},
	} {
		if got := traceLine(c.step); got != c.want {
			t.Errorf("%s: %q, want %q", c.meaning, got, c.want)
		}
	}
}

func TestRankLines(t *testing.T) {
	step := record.Level{Step: "top-down", Ranks: &record.RankCosts{
		Computing: []float64{10e-6, 20e-6}, Exchanging: []float64{3e-6, 4e-6}, Waiting: []float64{11e-6, 0},
		Traffic: []record.Traffic{
			{Payload: "bins", Transport: "peer", Sent: []int64{16, 0}, Received: []int64{0, 16}},
			{Payload: "sums", Transport: "mpi", Sent: []int64{24, 24}, Received: []int64{24, 24}},
		},
	}}
	want := []string{
		"    rank 0   computing 10.0 us, exchanging 3.00 us, waiting 11.0 us; bins/peer: 16.0 B sent, 0.00 B received; " +
			"sums/mpi: 24.0 B sent, 24.0 B received",
		"    rank 1   computing 20.0 us, exchanging 4.00 us, waiting 0.00 s; bins/peer: 0.00 B sent, 16.0 B received; " +
			"sums/mpi: 24.0 B sent, 24.0 B received",
	}
	if got := rankLines(step); !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	step.Ranks = nil
	if got := rankLines(step); got != nil {
		t.Errorf("a step of one rank: %q", got)
	}
}
