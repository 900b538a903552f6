package comm

// Advancing is a transport whose rank is watched: tell learns what the rank says by Advance.
func Advancing(t Transport, tell func(done, total int64)) Transport { return &advancing{t, tell} }

// Advance tells whoever watches this rank how much it has done of a long step, and of how much. It sends nothing, and
// does nothing where nobody watches.
func Advance(t Transport, done, total int64) {
	if watched, ok := t.(interface{ Advance(done, total int64) }); ok {
		watched.Advance(done, total)
	}
}

type advancing struct {
	Transport
	tell func(done, total int64)
}

func (t *advancing) Advance(done, total int64) { t.tell(done, total) }
func (t *advancing) release()                  { Release(t.Transport) }
