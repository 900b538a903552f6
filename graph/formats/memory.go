// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"maps"
	"math"
	"sort"
	"strings"
)

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
		size, err := s.kind.size(changed)
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
