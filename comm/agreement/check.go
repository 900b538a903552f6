// SPDX-License-Identifier: Apache-2.0

package agreement

import (
	"errors"

	"g500/comm"
)

// verdict is rank 0's message to all ranks.
type verdict struct {
	Difference string // "" if none was found
	Sample     []int  // numbers of the files whose contents must be compared
}

// Check compares the declarations of all ranks. It returns the same error on every rank, which names the first
// difference, or nil; only errors of the transport may be on one rank. The messages depend only on the verdict of rank
// 0, which compares. It is collective, and the first collective of every job.
func Check(t comm.Transport, own Declaration) error {
	v, err := settle(t, own, func(all []Declaration) verdict {
		if difference := firstDifference(all); difference != "" {
			return verdict{Difference: difference}
		}
		return verdict{Sample: copies(all)}
	})
	if err != nil || len(v.Sample) == 0 {
		return err
	}
	// Files of equal sizes and different times may be copies, or other files: compare their contents.
	sampled := Declaration{Node: own.Node}
	for _, i := range v.Sample {
		f := own.Files[i]
		sampled.Settings = append(sampled.Settings,
			Setting{Name: "the digest of " + f.Name, Value: f.sample(), Cure: sameFile})
	}
	_, err = settle(t, sampled, func(all []Declaration) verdict { return verdict{Difference: firstDifference(all)} })
	return err
}

// settle gathers declarations on rank 0, and sends its verdict on them to all ranks. A verdict with a difference is an
// error.
func settle(t comm.Transport, own Declaration, compare func([]Declaration) verdict) (v verdict, err error) {
	message, err := encode(own)
	if err != nil {
		return v, err
	}
	send := make([][]byte, t.Size())
	send[0] = message
	got, err := t.AllToAll(send)
	if err != nil {
		return v, err
	}
	send[0] = nil
	if t.Rank() == 0 {
		if message, err = encode(verdictOn(got, compare)); err != nil {
			return v, err
		}
		for r := range send {
			send[r] = message
		}
	}
	if got, err = t.AllToAll(send); err != nil {
		return v, err
	}
	if err := decode(got[0], &v); err != nil {
		return v, err
	}
	if v.Difference != "" {
		return v, errors.New(v.Difference)
	}
	return v, nil
}

// verdictOn compares the declarations in messages from all ranks.
func verdictOn(messages [][]byte, compare func([]Declaration) verdict) verdict {
	all := make([]Declaration, len(messages))
	for r, message := range messages {
		if err := decode(message, &all[r]); err != nil {
			return verdict{Difference: err.Error()}
		}
	}
	return compare(all)
}
