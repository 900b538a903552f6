package formats

import "fmt"

// Size is how large a graph is, known before it is made.
type Size struct {
	Vertices int64 // exact or, of kinds road and file, an upper estimate
	Edges    int64 // the tuples of its list, or an upper estimate
	Weighted bool  // the edges of a file have weights
	Extra    int64 // bytes that its generator needs beside the tuples
}

// Size returns how large the graph will be at most. The size of a file is unknown before it is read.
func (s Spec) Size() (Size, error) {
	if s.IsFile() {
		return Size{}, nil
	}
	size, err := s.kind.size(s.values)
	if err != nil {
		return size, s.named(err)
	}
	return size, nil
}

// besideGraph is what the program takes beside a graph while it is made: text that is parsed, and Go's own memory.
const besideGraph = 32 << 20

// memory is what making a graph of that size takes at its highest, in bytes. A quarter of the tuples is for memory that
// is not used any more and was not given back yet.
func (size Size) memory(o options, weighted bool) int64 {
	const tuple, weight, offset = 8, 4, 8
	entries := size.Edges * 2 // of directed lists half as many
	weighted = weighted && o.weights != weightsNone || o.weights == weightsUniform
	list, scattered, done := size.Edges*tuple, entries*4, int64(0)
	if weighted {
		list, scattered, done = size.Edges*(tuple+weight), entries*8, entries*8
	}
	return besideGraph + offset*size.Vertices + list/4 + max(list+size.Extra, list+scattered, scattered+done)
}

// Fits refuses a graph that takes more than room bytes of memory while it is made; a room of 0 is for what is not
// known.
func (s Spec) Fits(room int64) error {
	size, err := s.Size()
	if err != nil {
		return err
	}
	return s.fit(size, room)
}

// fit is Fits for a size.
func (s Spec) fit(size Size, room int64) error {
	if need := size.memory(s.values.options(), size.Weighted); room > 0 && need > room {
		return s.tooLarge(need, room)
	}
	return nil
}

// tooLarge says what the graph needs, and what fits instead.
func (s Spec) tooLarge(need, room int64) error {
	cure := "use a machine with more memory"
	if s.kind.fits != nil {
		cure = s.kind.fits(s.values, func(v values) bool {
			size, err := s.kind.size(v)
			return err == nil && size.memory(v.options(), false) <= room
		}) + " fits"
	}
	return fmt.Errorf("graph %s needs %s of memory while it is made, and %s are free: %s", s, rounded(need),
		rounded(room), cure)
}

// rounded is an amount of memory for people, in whole MiB or GiB.
func rounded(n int64) string {
	if n >= 10<<30 {
		return fmt.Sprintf("%d GiB", (n+1<<30-1)>>30)
	}
	return fmt.Sprintf("%d MiB", (n+1<<20-1)>>20)
}
