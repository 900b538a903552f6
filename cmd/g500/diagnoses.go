package main

import (
	"encoding/json"
	"fmt"

	"g500/comm"
	"g500/internal/agreement"
	"g500/internal/machine"
)

// rankDiagnosis is a cause that one rank found on its host.
type rankDiagnosis struct {
	Host    string
	Threads int
	Causes  []machine.Diagnosis
}

// diagnoses are the causes of a poor rate that ranks see on their hosts, in a sentence each. All ranks get the same. It
// is collective.
func diagnoses(t comm.Transport, threads int) ([]string, error) {
	text, err := json.Marshal(rankDiagnosis{machine.Host(), threads, diagnose(t, threads)})
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

// diagnose lists the causes of a poor rate on this rank's host.
func diagnose(t comm.Transport, threads int) []machine.Diagnosis {
	_, onHost := comm.Place(t)
	return machine.Diagnose(machine.Load{Threads: threads, Ranks: onHost})
}

// sentences names each cause once: as the first of the ranks sees it, and with the ranks that see it unless all do.
func sentences(all []rankDiagnosis) (said []string) {
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
		where := ""
		if with := ranks[cause]; len(with) < len(all) {
			where = fmt.Sprintf("%s, such as on host %s: ", agreement.Ranks(with), all[with[0]].Host)
		}
		said = append(said, where+text[cause])
	}
	if all[fewest].Threads < all[most].Threads {
		said = append(said, fmt.Sprintf("ranks have different numbers of threads: rank %d on host %s has %d, "+
			"rank %d on host %s has %d: all others wait for the slowest", fewest, all[fewest].Host, all[fewest].Threads,
			most, all[most].Host, all[most].Threads))
	}
	return said
}
