// SPDX-License-Identifier: Apache-2.0

package comm

// Wrapper is embedded by a transport that changes some methods of another one. Its Unwrap method lets As find the
// optional interfaces of the wrapped transport.
type Wrapper struct{ Transport }

// Unwrap returns the wrapped transport.
func (w Wrapper) Unwrap() Transport { return w.Transport }

// As returns the first transport that implements the optional interface T: t itself, the transport that it wraps, etc.
func As[T any](t Transport) (found T, ok bool) {
	for {
		if found, ok = t.(T); ok {
			return found, true
		}
		wrapper, is := t.(interface{ Unwrap() Transport })
		if !is {
			return found, false
		}
		t = wrapper.Unwrap()
	}
}

// Release frees the memory of the messages that the last AllToAll of a transport has returned. It is local to the rank.
// Kernel 1 calls it after its exchanges, which are by far the largest.
func Release(t Transport) {
	if keeper, ok := As[interface{ Release() }](t); ok {
		keeper.Release()
	}
}

// Advance reports that this rank has done a part of a long step, if its transport has such a method (Advancing). It
// sends no message.
func Advance(t Transport, done, total int64) {
	if watched, ok := As[interface{ Advance(done, total int64) }](t); ok {
		watched.Advance(done, total)
	}
}

// Advancing returns a transport that passes the progress of its rank to report.
func Advancing(t Transport, report func(done, total int64)) Transport {
	return &advancing{Wrapper{t}, report}
}

type advancing struct {
	Wrapper
	report func(done, total int64)
}

func (t *advancing) Advance(done, total int64) { t.report(done, total) }

// CountAs counts messages as a payload, a constant of package trace, until end is called, if the transport counts
// messages.
func CountAs(t Transport, payload string) (end func()) {
	counter, ok := As[interface{ CountAs(payload string) }](t)
	if !ok {
		return func() {}
	}
	counter.CountAs(payload)
	return func() { counter.CountAs("") }
}
