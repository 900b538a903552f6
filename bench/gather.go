package bench

import (
	"cmp"
	"encoding/json"

	"g500/comm"
)

// anyRank returns flags with each flag set that is set on some rank. It is collective.
func anyRank(t comm.Transport, flags ...bool) ([]bool, error) {
	counts := make([]int64, len(flags))
	for i, flag := range flags {
		if flag {
			counts[i] = 1
		}
	}
	err := t.AllReduce(counts, comm.Max)
	for i, n := range counts {
		flags[i] = n > 0
	}
	return flags, err
}

// gathered returns the value of each rank. own must have a JSON form. It is collective.
func gathered[T any](t comm.Transport, own T) ([]T, error) {
	text, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	texts, err := comm.AllGatherBytes(t, text)
	all := make([]T, len(texts))
	for rank, text := range texts {
		err = cmp.Or(err, json.Unmarshal(text, &all[rank]))
	}
	return all, err
}
