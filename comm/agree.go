// SPDX-License-Identifier: Apache-2.0

package comm

import "errors"

// Agree makes the ranks agree on an error after a step in which any of them may fail. If err is nil on all ranks, Agree
// returns nil. Otherwise every rank gets the error of the lowest failing rank, as a *RankError; if all ranks return it,
// the launcher prints it once. Errors that all ranks already have, such as ErrAbandoned, are returned unchanged. Agree
// costs one AllReduce, and an AllToAll if a rank has failed.
func Agree(t Transport, err error) error {
	if err != nil && !IsOfOneRank(err) {
		return err
	}
	from := t.Size()
	if err != nil {
		from = t.Rank()
	}
	lowest, failed := Reduce(t, int64(from), Min)
	if failed != nil {
		return failed
	}
	from = int(lowest)
	if from == t.Size() {
		return nil
	}
	text := make([][]byte, t.Size())
	if from == t.Rank() {
		for r := range text {
			text[r] = []byte(err.Error())
		}
	}
	texts, failed := t.AllToAll(text)
	if failed != nil {
		return failed
	}
	if from != t.Rank() {
		err = errors.New(string(texts[from]))
	}
	return &RankError{Rank: from, Err: err, All: t.Size() == 1}
}
