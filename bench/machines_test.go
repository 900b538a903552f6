package bench

import (
	"reflect"
	"testing"

	"g500/internal/machine"
	"g500/record"
)

// Nodes with equal descriptions are of one kind. The second rank of a node sends no description.
func TestNodesByKind(t *testing.T) {
	nodes := []string{"n2", "n2", "n0", "n1"}
	large, small := record.Machine{CPU: "X", Threads: 8, GPUs: []string{"G", "G"}}, record.Machine{CPU: "X", Threads: 4}
	got := kindsOf(nodes, []*record.Machine{&large, nil, &small, &large})
	want := []record.Kind{{Nodes: []string{"n1", "n2"}, Machine: large}, {Nodes: []string{"n0"}, Machine: small}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A run records its nodes, with one entry for ranks that share a node.
func TestRunRecordsItsMachines(t *testing.T) {
	want := []record.Kind{{Nodes: []string{machine.Node()}, Machine: record.Machine(machine.Describe())}}
	for _, ranks := range []int{1, 3} {
		got := mustRun(t, ranks, hybrid(config(6)))
		if !reflect.DeepEqual(got.Environment.Machines, want) {
			t.Errorf("%d ranks: %+v, want %+v", ranks, got.Environment.Machines, want)
		}
	}
}
