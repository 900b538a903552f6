// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

import (
	"errors"
	"slices"
	"testing"
	"unsafe"
)

// scripted is a search that wants a list of kinds, with the error that follows them.
type scripted struct {
	search Search
	kinds  []int // left
	err    error
	failed int // calls of fail

	lengths [3]uint64
}

// set sets a number of C, whose type tests cannot name.
func set[T ~int32 | ~uint64](to *T, value int) { *to = T(value) }

// point sets a pointer to numbers of C.
func point[T ~uint64](to **T, at *[3]uint64) { *to = (*T)(unsafe.Pointer(at)) }

func (s *scripted) next() error {
	if len(s.kinds) == 0 {
		set(&s.search.wanted.kind, searchDone)
		return s.err
	}
	set(&s.search.wanted.kind, s.kinds[0])
	set(&s.search.wanted.bytes, 16)
	point(&s.search.wanted.send_bytes, &s.lengths)
	point(&s.search.wanted.receive_bytes, &s.lengths)
	s.kinds = s.kinds[1:]
	return nil
}

func (s *scripted) fail() { s.failed++ }

// faulty is Exchanges without data of which one fails, and which count calls.
type faulty struct {
	left                              int // exchanges and checks before the failure
	gathers, messages, checks, aborts int
	cause                             error // of the last abort
	wrong                             bool  // an argument
}

var errPlanted = errors.New("planted fault")

func (f *faulty) count(calls *int) error {
	*calls++
	if f.left--; f.left < 0 {
		return errPlanted
	}
	return nil
}

func (f *faulty) AllGatherOn(own, all Memory) error {
	f.wrong = f.wrong || own.Bytes() != 16 || all.Bytes() != 3*16
	return f.count(&f.gathers)
}

func (f *faulty) AllToAllOn(m Messages) error {
	f.wrong = f.wrong || len(m.Sent) != 3 || len(m.Received) != 3
	return f.count(&f.messages)
}

func (f *faulty) Transport() string { return "" }

func (f *faulty) Check() error { return f.count(&f.checks) }

func (f *faulty) Abort(cause error) {
	f.aborts++
	f.cause = cause
}

// A search makes the wanted exchanges. If one fails, or the search, the search ends, and other ranks' exchanges are
// aborted; not if all ranks have ended. No search allocates memory.
func TestDrivenSearches(t *testing.T) {
	kinds := []int{wantsAllGather, wantsTime, wantsTime, wantsAllToAll, wantsTime, wantsAllGather}
	for _, c := range []struct {
		left           int
		ended, want    error
		failed, aborts int
	}{
		{99, nil, nil, 0, 0},
		{99, errPlanted, errPlanted, 0, 1},
		{99, ErrEnded, ErrEnded, 0, 0},
		{0, nil, errPlanted, 1, 1},
		{1, nil, errPlanted, 1, 1},
		{3, nil, errPlanted, 1, 1},
		{4, nil, errPlanted, 1, 1},
		{5, nil, errPlanted, 1, 1},
	} {
		s, x, d := &scripted{kinds: slices.Clone(kinds), err: c.ended}, &faulty{left: c.left}, &Device{}
		_ = s.next()
		err := d.drive(s, 3, &s.search.wanted, searchDone, x)
		made, all := x.gathers+x.messages+x.checks, min(c.left+1, len(kinds))
		if err != c.want || s.failed != c.failed || x.aborts != c.aborts || made != all || x.wrong ||
			c.aborts > 0 && x.cause != err {
			t.Errorf("%+v: error %v, failed %d times, %+v", c, err, s.failed, x)
		}
	}
	s, x, d := &scripted{}, &faulty{left: 1e9}, &Device{}
	if n := testing.AllocsPerRun(100, func() {
		s.kinds = kinds
		_ = s.next()
		_ = d.drive(s, 3, &s.search.wanted, searchDone, x)
	}); n > 0 {
		t.Errorf("a search allocates memory %g times", n)
	}
}
