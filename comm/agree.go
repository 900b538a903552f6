package comm

import "errors"

// Agree ends the job in good order where ranks may fail alone or alike. Each rank brings its error or nil. If all
// bring nil, Agree returns nil. If not, every rank gets the reason of the lowest rank that failed, as a
// *RankError; when all return it, the launcher prints it once. An error that all ranks have already is not wrapped,
// such as ErrAbandoned. Agree costs one AllReduce while all is well, and an AllToAll when not.
func Agree(t Transport, err error) error {
	var agreed *RankError
	if errors.As(err, &agreed) || errors.Is(err, ErrAbandoned) {
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
	told, failed := t.AllToAll(text)
	if failed != nil {
		return failed
	}
	if from != t.Rank() {
		err = errors.New(string(told[from]))
	}
	return &RankError{from, err}
}
