package formats

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// Spec names a graph: a kind and its parameters.
type Spec struct {
	kind   Kind
	values values
	given  []string // keys that the text has, in its order
}

// Parse reads a spec: NAME, or NAME: and parameters with commas between, as in kron:scale=20,seed=5. The sides of a
// grid and the path of a file are written without a key and come first. An error says what would be right.
func Parse(text string) (Spec, error) {
	name, rest, _ := strings.Cut(text, ":")
	var known []string
	for _, k := range Kinds() {
		if k.Name == name {
			s, err := parseParams(k, rest)
			if err != nil {
				return s, fmt.Errorf("graph %q: %w", text, err)
			}
			return s, nil
		}
		known = append(known, k.Name)
	}
	return Spec{}, fmt.Errorf("graph %q: there is no kind %q of graphs; there are %s (a file is named as file:PATH)",
		text, name, strings.Join(known, ", "))
}

func parseParams(k Kind, text string) (Spec, error) {
	s := Spec{kind: k, values: values{}}
	words := splitParams(k, text)
	if first := k.Params[0]; first.positional() && len(words) > 0 {
		if err := s.set(first, words[0]); err != nil {
			return s, err
		}
		words = words[1:]
	}
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		p, known := find(k.params(), key)
		if !ok || !known || p.positional() {
			return s, fmt.Errorf("%q is no parameter; %s takes %s", word, k.Name, takes(k))
		}
		if _, twice := s.values[key]; twice {
			return s, fmt.Errorf("%s is given twice", key)
		}
		if err := s.set(p, value); err != nil {
			return s, err
		}
	}
	return s, s.complete()
}

// splitParams cuts the text at commas. A path may have commas and equals signs: the last words that look like
// parameters of the kind follow it. Names of columns belong to the parameter before them, as in columns=src,dst.
func splitParams(k Kind, text string) []string {
	if text == "" {
		return nil
	}
	words := strings.Split(text, ",")
	if _, isPath := k.Params[0].reader.(anyPath); !isPath {
		return words
	}
	var params []string
	end := len(words) // of the words before params
	for at := end - 1; at > 0; at-- {
		key, _, ok := strings.Cut(words[at], "=")
		if _, known := find(k.params(), key); ok && known {
			params = append(params, strings.Join(words[at:end], ","))
			end = at
		} else if !slices.Contains(everyColumn, column(words[at])) {
			break
		}
	}
	slices.Reverse(params)
	return append([]string{strings.Join(words[:end], ",")}, params...)
}

func (s *Spec) set(p Param, value string) error {
	if !p.reader.Takes(value) {
		return fmt.Errorf("%s = %q: it must be %s", p.Key, value, p.Range())
	}
	s.values[p.Key] = value
	s.given = append(s.given, p.Key)
	return nil
}

// complete sets the parameters that the text does not have, and checks them together.
func (s *Spec) complete() error {
	for _, p := range s.kind.params() {
		if _, given := s.values[p.Key]; given {
			continue
		}
		if p.Default == "" {
			return fmt.Errorf("%s is missing, %s, as in %s", p.Key, p.Help, s.kind.Form)
		}
		s.values[p.Key] = p.Default
	}
	if s.IsFile() {
		return nil // a file is looked at when it is read
	}
	_, err := s.kind.size(s.values)
	return err
}

// takes lists the parameters of a kind.
func takes(k Kind) string {
	var keys []string
	for _, p := range k.params() {
		keys = append(keys, p.Key)
	}
	return strings.Join(keys, ", ")
}

// String is the spec as it was given.
func (s Spec) String() string {
	var words []string
	for _, key := range s.given {
		if p, _ := find(s.kind.params(), key); p.positional() {
			words = append(words, s.values[key])
		} else {
			words = append(words, key+"="+s.values[key])
		}
	}
	if len(words) == 0 {
		return s.kind.Name
	}
	return s.kind.Name + ":" + strings.Join(words, ",")
}

// IsFile reports whether the graph is read from a file.
func (s Spec) IsFile() bool { return s.kind.fits == nil }

// Directed reports whether the spec asks for a directed graph.
func (s Spec) Directed() bool { return s.values.is("directed") }

// errTooManyVertices is for graphs whose vertices cannot be numbered.
var errTooManyVertices = errors.New("the graph has more than 2^32-1 vertices, the most that there can be")

// Make generates the graph or reads it, on that many workers. It is refused, with an error that names a size that
// fits, if it takes more bytes of memory than room; 0 means unknown. A file is opened once.
func (s Spec) Make(ctx context.Context, workers int, room int64) (*Graph, error) {
	if !s.IsFile() {
		if err := s.Fits(room); err != nil {
			return nil, err
		}
	}
	fit := func(size Size) error { return s.fit(size, room) }
	l, err := s.kind.make(resources{ctx, workers, room, fit}, s.values)
	if err != nil {
		return nil, s.named(err)
	}
	runtime.GC() // what readers and generators have left over, before rows are allocated
	if s.IsFile() {
		if err := s.fit(Size{Vertices: l.vertices, Edges: l.tuples(), Weighted: l.weighted()}, room); err != nil {
			return nil, err
		}
	}
	g, err := build(ctx, l, s.values.options(), workers)
	if err != nil {
		return nil, s.named(err)
	}
	return g, nil
}

// named puts the spec before an error, but for a file's, which name the file.
func (s Spec) named(err error) error {
	if s.IsFile() {
		return err
	}
	return fmt.Errorf("graph %s: %w", s, err)
}
