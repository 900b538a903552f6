package bench

import (
	"encoding/json"
	"fmt"
	"slices"

	"g500/comm"
	"g500/internal/machine"
	"g500/record"
)

// tellMachines gathers the description of each host on rank 0, and returns them there by kind. One rank of each host
// speaks. It is collective.
func tellMachines(t comm.Transport, hosts []string) ([]record.Kind, error) {
	send := make([][]byte, t.Size())
	if place, _ := comm.Place(t); place == 0 {
		text, err := json.Marshal(record.Machine(machine.Describe()))
		if err != nil {
			return nil, err
		}
		send[0] = text
	}
	told, err := t.AllToAll(send)
	if err != nil || t.Rank() != 0 {
		return nil, err
	}
	return kindsOf(hosts, told)
}

// kindsOf groups hosts with equal descriptions, in the order of ranks.
func kindsOf(hosts []string, told [][]byte) ([]record.Kind, error) {
	var kinds []record.Kind
	at := map[string]int{}
	for rank, text := range told {
		if len(text) == 0 {
			continue // another rank of the host has spoken
		}
		i, known := at[string(text)]
		if !known {
			i = len(kinds)
			at[string(text)] = i
			kinds = append(kinds, record.Kind{})
			if err := json.Unmarshal(text, &kinds[i].Machine); err != nil {
				return nil, fmt.Errorf("what rank %d tells of its host cannot be read: %w", rank, err)
			}
		}
		kinds[i].Nodes = append(kinds[i].Nodes, hosts[rank])
	}
	for i := range kinds {
		slices.Sort(kinds[i].Nodes)
		kinds[i].Nodes = slices.Compact(kinds[i].Nodes)
	}
	return kinds, nil
}
