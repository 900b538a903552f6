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

// Releaser is a transport that keeps the memory of received messages.
type Releaser interface{ Release() }

// Release frees the memory of the messages that the last AllToAll of a transport has returned. It is local to the rank.
// Kernel 1 calls it after its exchanges, which are by far the largest.
func Release(t Transport) {
	if keeper, ok := As[Releaser](t); ok {
		keeper.Release()
	}
}

// Advancer is a transport that reports the progress of its rank.
type Advancer interface{ Advance(done, total int64) }

// Advance reports that this rank has done a part of a long step, if its transport is an Advancer. It sends no message.
func Advance(t Transport, done, total int64) {
	if watched, ok := As[Advancer](t); ok {
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

// FormCounter is a transport that counts messages by form.
type FormCounter interface {
	CarryForm(form string) // sets the form of the following messages, a Form constant of package trace; "" for bins
}

// CarryForm counts messages under a form until end is called, if the transport is a FormCounter.
func CarryForm(t Transport, form string) (end func()) {
	counter, ok := As[FormCounter](t)
	if !ok {
		return func() {}
	}
	counter.CarryForm(form)
	return func() { counter.CarryForm("") }
}
