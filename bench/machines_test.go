package bench

import (
	"context"
	"reflect"
	"testing"

	"g500/internal/machine"
	"g500/record"
)

// Hosts with equal descriptions are of one kind; the second rank of a host sends none.
func TestHostsByKind(t *testing.T) {
	hosts := []string{"n2", "n2", "n0", "n1"}
	large, small := `{"cpu":"X","logical_cores":8,"gpus":["G","G"]}`, `{"cpu":"X","logical_cores":4}`
	got, err := kindsOf(hosts, [][]byte{[]byte(large), nil, []byte(small), []byte(large)})
	want := []record.Kind{
		{Nodes: []string{"n1", "n2"}, Machine: record.Machine{CPU: "X", Threads: 8, GPUs: []string{"G", "G"}}},
		{Nodes: []string{"n0"}, Machine: record.Machine{CPU: "X", Threads: 4}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

// A run records its hosts, one entry for ranks that share a host.
func TestRunTellsOfItsMachines(t *testing.T) {
	want := []record.Kind{{Nodes: []string{machine.Node()}, Machine: record.Machine(machine.Describe())}}
	for _, ranks := range []int{1, 3} {
		got, err := run(context.Background(), ranks, hybrid(config(6)))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Environment.Machines, want) {
			t.Errorf("%d ranks: %+v, want %+v", ranks, got.Environment.Machines, want)
		}
	}
}
