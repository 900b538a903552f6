package comm

import "errors"

// ErrAbandoned is the error of work that all ranks abandon because one of them was stopped.
var ErrAbandoned = errors.New("comm: the work was abandoned, because a rank was stopped")

// Abandonable returns a transport whose AllReduce returns ErrAbandoned on all ranks, and at the same call, if abandoned
// reports true on one of them. The ranks agree by one more value in each AllReduce, and by no message of their own. The
// transport remains usable: its other collectives work as before, and AllReduce does when abandoned reports false.
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
