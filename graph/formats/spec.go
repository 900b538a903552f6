// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"sort"
	"strings"

	"g500/internal/lists"
)

// Spec names a graph: a kind and its parameters.
type Spec struct {
	kind Kind
	values
	text string // as it was given
}

// Parse reads a spec: NAME, or NAME: and parameters separated by commas, as in kron:scale=20,seed=5. The sides of a
// grid and the path of a file have no key and come first. An error names the accepted values.
func Parse(text string) (Spec, error) {
	if strings.Contains(text, "://") {
		return Spec{}, fmt.Errorf("graph %q is an address, and the program does not download: download the file first, as "+
			"by curl -LO, and name it as file:NAME", text)
	}
	name, rest, _ := strings.Cut(text, ":")
	kind := lists.Find(Kinds(), func(k Kind) bool { return k.Name == name })
	if kind == nil {
		return Spec{}, fmt.Errorf("graph %q: there is no kind %q of graphs; there are %s (a file is named as file:PATH)",
			text, name, strings.Join(lists.Of(Kinds(), func(k Kind) string { return k.Name }), ", "))
	}
	s := Spec{*kind, values{}, strings.TrimSuffix(text, ":")}
	if err := s.parse(rest); err != nil {
		return s, fmt.Errorf("graph %q: %w", text, err)
	}
	return s, nil
}

// parse sets the parameters of the text, and the others to their defaults, and checks all of them together.
func (s *Spec) parse(text string) error {
	k := s.kind
	words := splitParams(k, text)
	if first := k.Params[0]; first.positional() && len(words) > 0 {
		if err := s.set(first, words[0]); err != nil {
			return err
		}
		words = words[1:]
	}
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		p := find(k.params(), key)
		if !ok || p == nil || p.positional() {
			return fmt.Errorf("%q is not a parameter; %s", word, k.takes())
		}
		if _, twice := s.values[key]; twice {
			return fmt.Errorf("%s is given twice, the second time by %s: leave one of them out", key, word)
		}
		if err := s.set(*p, value); err != nil {
			return err
		}
	}
	for _, p := range k.params() {
		if _, given := s.values[p.Key]; given {
			continue
		}
		if p.Default == "" {
			return fmt.Errorf("%s is missing, %s, as in %s", p.Key, p.Help, k.Form)
		}
		s.values[p.Key] = p.Default
	}
	_, _, err := k.plan(s.values)
	return err
}

// takes names the parameters of a kind.
func (k Kind) takes() string {
	return k.Name + " takes " + strings.Join(lists.Of(k.params(), func(p Param) string { return p.Key }), ", ")
}

// misspelt adds to the error of a file that does not exist the last parameter in its name, if the file without
// parameters exists: splitParams leaves an unknown one to the name.
func (s Spec) misspelt(path string, err error) error {
	name, rest, _ := strings.Cut(path, ",")
	end := strings.LastIndexByte(rest, '=')
	if end < 0 {
		end = len(rest)
	}
	if _, missing := os.Stat(name); missing != nil || rest == "" || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	word := rest[strings.LastIndexByte(rest[:end], ',')+1 : end]
	return fmt.Errorf("%w; %s exists, and %q is not a parameter; %s", err, name, word, s.kind.takes())
}

// splitParams cuts the text at commas. A path may have commas and equals signs: its parameters are the last words that
// look like parameters of the kind. Names of columns belong to the parameter before them, as in columns=src,dst.
func splitParams(k Kind, text string) []string {
	if text == "" {
		return nil
	}
	words := strings.Split(text, ",")
	if k.Params[0].Key != "PATH" {
		return words
	}
	var params []string
	end := len(words) // of the words before params
	for at := end - 1; at > 0; at-- {
		key, _, ok := strings.Cut(words[at], "=")
		if ok && find(k.params(), key) != nil {
			params = append(params, strings.Join(words[at:end], ","))
			end = at
		} else if !slices.Contains(everyColumn, words[at]) {
			break
		}
	}
	slices.Reverse(params)
	return append([]string{strings.Join(words[:end], ",")}, params...)
}

func (s *Spec) set(p Param, value string) error {
	if !p.takes(value) {
		return fmt.Errorf("%s = %q: it must be %s", p.Key, value, p.Range)
	}
	if p.Key == "PATH" && value == "-" {
		value = "/dev/stdin"
	}
	s.values[p.Key] = value
	return nil
}

// String returns the spec as it was given.
func (s Spec) String() string { return s.text }

// IsFile reports whether the graph is read from a file.
func (s Spec) IsFile() bool { return s.kind.Name == "file" }

// errTooManyVertices is for graphs whose vertices cannot be numbered.
var errTooManyVertices = errors.New("the graph has more than 2^32-1 vertices, the largest possible number")

// task is the making of a graph.
type task struct {
	Spec
	ctx     context.Context
	workers int
	limit   int64 // bytes of memory, 0 if unknown
	size    Size  // of a graph that is not from a file
}

// Make generates the graph or reads it, with several workers. It refuses a graph that takes more than limit bytes of
// memory and names a size that fits; a limit of 0 means unknown. It opens a file once.
func (s Spec) Make(ctx context.Context, workers int, limit int64) (*Graph, error) {
	on := task{Spec: s, ctx: ctx, workers: workers, limit: limit}
	size, generate, _ := s.kind.plan(s.values) // Parse has checked the error
	if on.size = size; !s.IsFile() {
		if err := on.fit(size); err != nil {
			return nil, err
		}
	}
	l, err := generate(on)
	if err != nil {
		return nil, s.named(err)
	}
	l.undirected = l.undirected || !s.kind.directed
	runtime.GC() // frees the memory of readers and generators before rows are allocated
	if err := on.fit(Size{Vertices: l.vertices, Edges: l.tuples(), Weighted: l.weighted()}); err != nil {
		return nil, err
	}
	g, err := build(ctx, l, s.values, workers)
	if err != nil {
		return nil, s.named(err)
	}
	return g, nil
}

// named puts the spec before an error, unless the graph is a file, which the error names.
func (s Spec) named(err error) error {
	if s.IsFile() {
		return err
	}
	return fmt.Errorf("graph %s: %w", s, err)
}

// Size is the size of a graph, known before it is made.
type Size struct {
	Vertices int64 // exact or, for kinds road and file, an upper estimate
	Edges    int64 // the tuples of its list, or an upper estimate
	Weighted bool  // the edges of a file have weights
	Extra    int64 // bytes that its generator needs in addition to the tuples
}

// fixedMemory is the memory of the program while it makes a graph, except the graph: text that is parsed, and the
// memory of Go's runtime.
const fixedMemory = 32 << 20

// memory returns the highest memory use, in bytes, while a graph of that size is made. It includes 25% of the
// tuples for memory that is no longer used and not yet free.
func (size Size) memory(v values) int64 {
	const tuple, weight, offset = 8, 4, 8
	entries := size.Edges * 2 // of directed lists half as many
	list, scattered, done := size.Edges*tuple, entries*4, int64(0)
	if size.Weighted && v["weights"] != "none" || drawnWeights[v["weights"]] != nil {
		list, scattered, done = size.Edges*(tuple+weight), entries*8, entries*8
	}
	return fixedMemory + offset*size.Vertices + list/4 + max(list+size.Extra, list+scattered, scattered+done)
}

// fit refuses a graph of a size that takes more than the limit of memory, and names the cure.
func (on task) fit(size Size) error {
	need := size.memory(on.values)
	if on.limit == 0 || need <= on.limit {
		return nil
	}
	cure := "use a machine with more memory"
	if !on.IsFile() {
		cure = on.fitting(on.limit) + " fits"
	}
	return refusal{fmt.Errorf("graph %s needs %s of memory while it is made, and %s are free: %s", on.Spec, rounded(need),
		rounded(on.limit), cure)}
}

// fitting returns the largest value of the first parameter with which the graph takes at most limit bytes of memory:
// KEY=VALUE, or the sides of a square or cube.
func (s Spec) fitting(limit int64) string {
	key := s.kind.Params[0].Key
	axes := strings.Count(key, "x") + 1
	most, form := s.integer(key), key+"=%s"
	if axes > 1 {
		most, form = int64(math.Pow(MaxVertices, 1/float64(axes))), "%s"
	}
	changed := maps.Clone(s.values)
	text := func(n int) string { return strings.Repeat(fmt.Sprintf("x%d", n), axes)[1:] }
	n := 1 + sort.Search(int(most)-1, func(i int) bool {
		changed[key] = text(i + 2)
		size, _, err := s.kind.plan(changed)
		return err != nil || size.memory(changed) > limit
	})
	return fmt.Sprintf(form, text(n))
}

// rounded formats an amount of memory in whole MiB or GiB.
func rounded(n int64) string {
	if n >= 10<<30 {
		return fmt.Sprintf("%d GiB", (n+1<<30-1)>>30)
	}
	return fmt.Sprintf("%d MiB", (n+1<<20-1)>>20)
}
