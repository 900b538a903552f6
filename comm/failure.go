// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"cmp"
	"errors"
	"fmt"

	"g500/internal/panics"
)

// ErrAborted is the error of a rank whose job has ended because another rank failed. The launcher of the failed rank
// prints the reason.
var ErrAborted = errors.New("comm: a rank has failed and ended the job")

// RankError is the error that ended a job, with its rank.
type RankError struct {
	Rank int
	Err  error
	All  bool   // all ranks have it, or the only one: the text names no rank
	Node string // the rank's, "" if it is not to be named
}

func (e *RankError) Error() string {
	if e.All {
		return e.Err.Error()
	}
	node := ""
	if e.Node != "" {
		node = " (node " + e.Node + ")"
	}
	return fmt.Sprintf("rank %d%s: %v", e.Rank, node, e.Err)
}

// Unwrap returns the rank's own error.
func (e *RankError) Unwrap() error { return e.Err }

// IsOfOneRank reports whether other ranks may not have the error, which therefore ends the job by its rank alone.
func IsOfOneRank(err error) bool {
	var agreed *RankError
	return err != nil && !errors.As(err, &agreed) && !errors.Is(err, ErrAbandoned)
}

// guard runs one rank and calls end with its error: fn's, or one of panics.Catch. end is called in any case, to release
// the other ranks.
func guard(t Transport, fn func(Transport) error, end func(error)) {
	var reason error
	panics.Catch(func() { reason = fn(t) }, func(fault error) { end(cmp.Or(fault, reason)) })
}

// named returns an error of one of several ranks as a RankError, unchanged if it is one.
func named(rank, ranks int, err error) error {
	var from *RankError
	if errors.As(err, &from) {
		return err
	}
	return &RankError{Rank: rank, Err: err, All: ranks == 1}
}

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
	var text []byte
	if from == t.Rank() {
		text = []byte(err.Error())
	}
	texts, failed := AllGatherBytes(t, text)
	if failed != nil {
		return failed
	}
	if from != t.Rank() {
		err = errors.New(string(texts[from]))
	}
	return &RankError{Rank: from, Err: err, All: t.Size() == 1}
}

// ReduceAgreed is Reduce of a number that each rank has found, and Agree if err is the reason why some have not.
func ReduceAgreed(t Transport, value int64, op Op, err error) (int64, error) {
	if err := Agree(t, err); err != nil {
		return 0, err
	}
	return Reduce(t, value, op)
}
