package main

import (
	"encoding/json"
	"fmt"

	"g500/comm"
	"g500/internal/agreement"
	"g500/internal/machine"
)

// rankDiagnosis has the causes of a poor rate that one rank found on its node.
type rankDiagnosis struct {
	Host    string
	Threads int
	Causes  []machine.Diagnosis
}

// diagnoses returns the causes of a poor rate on all nodes, one sentence each, the same on all ranks. It is collective.
func diagnoses(t comm.Transport, threads int) ([]string, error) {
	text, err := json.Marshal(rankDiagnosis{machine.Node(), threads, diagnose(t, threads)})
	if err != nil {
		return nil, err
	}
	texts, err := comm.AllGatherTexts(t, string(text))
	if err != nil {
		return nil, err
	}
	all := make([]rankDiagnosis, len(texts))
	for r, text := range texts {
		if err := json.Unmarshal([]byte(text), &all[r]); err != nil {
			return nil, err
		}
	}
	return sentences(all), nil
}

// causesOfLowRate examines this node. Tests replace it.
var causesOfLowRate = machine.Diagnose

// diagnose returns the causes of a poor rate on this rank's node.
func diagnose(t comm.Transport, threads int) []machine.Diagnosis {
	_, onNode := comm.Place(t)
	return causesOfLowRate(machine.Load{Threads: threads, Ranks: onNode})
}

// sentences returns each cause once, as the first rank describes it, and names the ranks unless all have it.
func sentences(all []rankDiagnosis) (texts []string) {
	var order []string
	ranks, text := map[string][]int{}, map[string]string{}
	fewest, most := 0, 0
	for r, d := range all {
		for _, c := range d.Causes {
			if text[c.Cause] == "" {
				order, text[c.Cause] = append(order, c.Cause), c.Text
			}
			ranks[c.Cause] = append(ranks[c.Cause], r)
		}
		if d.Threads < all[fewest].Threads {
			fewest = r
		}
		if d.Threads > all[most].Threads {
			most = r
		}
	}
	for _, cause := range order {
		who := ""
		if with := ranks[cause]; len(with) < len(all) {
			who = fmt.Sprintf("%s, such as on node %s: ", agreement.Ranks(with), all[with[0]].Host)
		}
		texts = append(texts, who+text[cause])
	}
	if all[fewest].Threads < all[most].Threads {
		texts = append(texts, fmt.Sprintf("ranks have different numbers of threads: rank %d on node %s has %d, "+
			"rank %d on node %s has %d: all others wait for the slowest", fewest, all[fewest].Host, all[fewest].Threads,
			most, all[most].Host, all[most].Threads))
	}
	return texts
}
