//go:build cgo

package nccl

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"
)

func addressOf(m []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(m))) }

func enterNothing() error { return nil }

// inOrder runs body on ranks with a common ordered communicator, and returns their errors.
func inOrder(t *testing.T, l *Library, ranks int, wait time.Duration, body func(o *Ordered) error) []error {
	t.Helper()
	id, err := l.NewID()
	if err != nil {
		t.Fatal(err)
	}
	faults := make([]error, ranks)
	var all sync.WaitGroup
	for rank := range ranks {
		all.Go(func() {
			o, err := l.JoinOrdered(id, rank, ranks, wait, enterNothing)
			if err == nil {
				err = body(o)
			}
			faults[rank] = err
		})
	}
	all.Wait()
	return faults
}

// gatherAndExchange gathers parts of all ranks, then exchanges messages of different lengths.
func gatherAndExchange(t *testing.T, o *Ordered, ranks int) error {
	const bytes = 1000
	own, all, want := device(t, bytes), device(t, ranks*bytes), []byte{}
	copy(own, content(o.rank, 0, bytes))
	for r := range ranks {
		want = append(want, content(r, 0, bytes)...)
	}
	if err := o.AllGather(addressOf(own), addressOf(all), bytes, nil); err != nil {
		return err
	}
	if !slices.Equal(all, want) {
		return fmt.Errorf("rank %d: a wrong all-gather", o.rank)
	}
	var messages []Message
	into := make([][]byte, ranks)
	for r := range ranks {
		if r == o.rank {
			continue
		}
		out := device(t, 100+10*o.rank+r)
		copy(out, content(o.rank, r, len(out)))
		into[r] = device(t, 100+10*r+o.rank)
		messages = append(messages, Message{At: addressOf(out), Bytes: int64(len(out)), Rank: r},
			Message{At: addressOf(into[r]), Bytes: int64(len(into[r])), Rank: r, Receive: true})
	}
	if err := errors.Join(o.Exchange(messages, nil), o.Exchange(nil, nil), o.Check()); err != nil {
		return err
	}
	for r, got := range into {
		if r != o.rank && !slices.Equal(got, content(r, o.rank, len(got))) {
			return fmt.Errorf("rank %d: a wrong message from rank %d", o.rank, r)
		}
	}
	return o.Wait(bytes, &idle{})
}

func TestOrdered(t *testing.T) {
	l := found(t)
	for _, ranks := range []int{1, 2, 3, 5} {
		var exchanging sync.WaitGroup
		exchanging.Add(ranks)
		wantNone(t, inOrder(t, l, ranks, patience, func(o *Ordered) error {
			err := gatherAndExchange(t, o, ranks)
			exchanging.Done()
			exchanging.Wait()
			if err != nil {
				return err
			}
			o.Close(patience)
			if err := o.AllGather(0, 0, 0, nil); err != errClosed {
				return fmt.Errorf("after Close: %w", err)
			}
			return nil
		}))
	}
}

// A rank whose call never ends, or fails, ends all ranks within the time limit. Later calls return the same error.
func TestOrderedEnds(t *testing.T) {
	for _, fault := range []string{
		"1 ncclCommInitRankConfig hang", "1 ncclCommInitRankConfig error", "1 ncclGroupEnd hang", "1 ncclGroupEnd error",
		"1 ncclAllGather error",
	} {
		t.Run(strings.ReplaceAll(fault, " ", "-"), func(t *testing.T) {
			l := found(t)
			t.Setenv("FAKE_NCCL_FAULT", fault)
			for rank, err := range inOrder(t, l, 3, impatience, func(o *Ordered) error {
				err := gatherAndExchange(t, o, 3)
				if err != nil {
					o.Abort(err, patience)
				}
				if again := o.Check(); err != nil && again == nil {
					return nil
				}
				return err
			}) {
				if err == nil {
					t.Errorf("rank %d: no error, or none of a later call", rank)
				}
			}
		})
	}
}

// never is a stream whose work does not end.
type never struct{ idle }

func (*never) Done() (bool, error) { return false, nil }

func TestOrderedWaitsWithLimit(t *testing.T) {
	for _, err := range inOrder(t, found(t), 1, impatience, func(o *Ordered) error { return o.Wait(0, &never{}) }) {
		if err == nil || !strings.Contains(err.Error(), "has not ended") {
			t.Errorf("work that never ends: %v", err)
		}
	}
}
