// SPDX-License-Identifier: Apache-2.0

package comm

import "errors"

// ErrAbandoned is the error of a step that all ranks abandon because one of them was stopped.
var ErrAbandoned = errors.New("comm: the work was abandoned, because a rank was stopped")

// Abandonable returns a transport whose AllReduce returns ErrAbandoned on all ranks, at the same call, if abandoned
// reports true on one of them. Each AllReduce has one more value for that; there are no extra messages. The transport
// remains usable: the other collectives do not change, and AllReduce works again if abandoned reports false.
func Abandonable(t Transport, abandoned func() bool) Transport {
	return &abandonable{Wrapper: Wrapper{t}, abandoned: abandoned}
}

type abandonable struct {
	Wrapper
	abandoned func() bool
	vals      []int64 // of AllReduce, with this rank's flag
}

func (t *abandonable) AllReduce(vals []int64, op Op) error {
	flag := int64(0)
	if t.abandoned() {
		flag = 1
	}
	if op == Min {
		flag = -flag
	}
	t.vals = append(append(t.vals[:0], vals...), flag)
	if err := t.Transport.AllReduce(t.vals, op); err != nil {
		return err
	}
	copy(vals, t.vals)
	if t.vals[len(vals)] != 0 {
		return ErrAbandoned
	}
	return nil
}
