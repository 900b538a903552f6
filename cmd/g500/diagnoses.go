// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"slices"

	"g500/comm"
	"g500/comm/agreement"
	"g500/internal/machine"
)

// rankDiagnosis has the causes of a poor rate that one rank found on its node.
type rankDiagnosis struct {
	Host      string
	Threads   int
	Causes    []machine.Diagnosis
	Libraries []string // versions, in the order of libraryNames
}

// libraryNames has the names of libraries that may differ between nodes. Differences of programs and of NCCL are
// refused.
var libraryNames = []string{"versions of MPI", "NVIDIA drivers"}

// libraries returns the versions of this rank's libraries.
func libraries(transport comm.HostTransport) []string {
	return []string{transport.Library(), machine.Here.Driver()}
}

// diagnoses returns the causes of a poor rate on all nodes, and libraries that differ, one sentence each, the same on
// all ranks. It is collective.
func diagnoses(t comm.Transport, transport comm.HostTransport, threads int) ([]string, error) {
	all, err := comm.Gathered(t, rankDiagnosis{machine.Node(), threads, diagnose(t, threads), libraries(transport)})
	if err != nil {
		return nil, err
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
	return append(texts, differences(all)...)
}

// differences returns a sentence for each library of which two ranks have different versions.
func differences(all []rankDiagnosis) (texts []string) {
	for i, name := range libraryNames {
		first := all[0]
		other := slices.IndexFunc(all, func(d rankDiagnosis) bool { return d.Libraries[i] != first.Libraries[i] })
		if other < 0 {
			continue
		}
		texts = append(texts, fmt.Sprintf("ranks have different %s: rank 0 on node %s has %s, rank %d on node %s has %s: "+
			"if the run hangs or fails, install the same one on all nodes", name, first.Host,
			cmp.Or(first.Libraries[i], "none"), other, all[other].Host, cmp.Or(all[other].Libraries[i], "none")))
	}
	return texts
}
