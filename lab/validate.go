package lab

import "fmt"

// truth summarises the result of the reference implementation from a source: enough to validate other results.
type truth struct {
	source  uint32
	reached int64
	edges   int64  // directed edges that leave reached vertices, including duplicates and self-loops
	loops   int64  // self-loops among these
	kept    int64  // without duplicates and self-loops; 0 if no strategy counts these
	sum     uint64 // checksum of all distances

	frontiers []frontier // of each level
}

// frontier counts the vertices at one distance, and the edges that leave them.
type frontier struct{ vertices, edges int64 }

// reference returns the distances from a source, found with a queue. It shares no code with any strategy.
func reference(g *Graph, source uint32) []uint32 {
	distances := make([]uint32, g.Vertices())
	for v := range distances {
		distances[v] = None
	}
	distances[source] = 0
	queue := []uint32{source}
	for i := 0; i < len(queue); i++ {
		for _, to := range g.Row(queue[i]) {
			if distances[to] == None {
				distances[to] = distances[queue[i]] + 1
				queue = append(queue, to)
			}
		}
	}
	return distances
}

// truthOf searches from a source with the reference implementation. kept has the numbers of different neighbours, or is
// nil.
func truthOf(g *Graph, source uint32, kept []uint32) truth {
	distances := reference(g, source)
	t := truth{source: source, sum: checksum(distances)}
	for v, d := range distances {
		if d == None {
			continue
		}
		t.reached++
		t.edges += g.Offsets[v+1] - g.Offsets[v]
		if kept != nil {
			t.kept += int64(kept[v])
		}
		for len(t.frontiers) <= int(d) {
			t.frontiers = append(t.frontiers, frontier{})
		}
		t.frontiers[d].vertices++
		t.frontiers[d].edges += g.Offsets[v+1] - g.Offsets[v]
		for _, to := range g.Row(uint32(v)) {
			if to == uint32(v) {
				t.loops++
			}
		}
	}
	return t
}

// checksum returns a hash of distances.
func checksum(distances []uint32) uint64 {
	sum := uint64(len(distances))
	for _, d := range distances {
		sum = (sum ^ uint64(d)) * 0x9e3779b97f4a7c15
		sum ^= sum >> 29
	}
	return sum
}

// validate returns the fault of a result, or "". Distances must equal the reference. The source must be its own
// parent, each parent must have an edge to its child, and the depths by parents must equal the distances.
func (t truth) validate(g *Graph, r Result) string {
	distances := r.Distances
	if distances == nil {
		if len(r.Parents) != g.Vertices() {
			return fmt.Sprintf("there are %d parents of %d vertices", len(r.Parents), g.Vertices())
		}
		if fault := treeFault(g, t.source, r.Parents); fault != "" {
			return fault
		}
		distances = depths(t.source, r.Parents)
		for v, d := range distances {
			if d == None && r.Parents[v] != None {
				return fmt.Sprintf("the parents of vertex %d do not lead to source %d", v, t.source)
			}
		}
	}
	if len(distances) != g.Vertices() {
		return fmt.Sprintf("there are %d distances of %d vertices", len(distances), g.Vertices())
	}
	if checksum(distances) == t.sum {
		return ""
	}
	for v, want := range reference(g, t.source) {
		if distances[v] != want {
			return fmt.Sprintf("vertex %d is at distance %s, not %s", v, distanceText(want), distanceText(distances[v]))
		}
	}
	return "the graph has changed since it was searched"
}

func distanceText(d uint32) string {
	if d == None {
		return "infinite"
	}
	return fmt.Sprint(d)
}

// treeFault returns a fault if a parent has no edge to its child, or "".
func treeFault(g *Graph, source uint32, parents []uint32) string {
	if parents[source] != source {
		return fmt.Sprintf("the parent of source %d is %d, not itself", source, int32(parents[source]))
	}
	joined := make([]bool, len(parents))
	joined[source] = true
	for u := range parents {
		for _, to := range g.Row(uint32(u)) {
			joined[to] = joined[to] || parents[to] == uint32(u) && to != uint32(u)
		}
	}
	for v, parent := range parents {
		if parent != None && !joined[v] {
			return fmt.Sprintf("vertex %d has parent %d, from which no edge leads to it", v, parent)
		}
	}
	return ""
}

// depths returns the number of steps from each vertex to the source by its parents, or None if they do not lead there.
func depths(source uint32, parents []uint32) []uint32 {
	const pending = None - 1
	d := make([]uint32, len(parents))
	for v, parent := range parents {
		d[v] = pending
		if parent == None {
			d[v] = None
		}
	}
	d[source] = 0
	var path []uint32
	for v := range parents {
		path = path[:0]
		at := uint32(v)
		for d[at] == pending && len(path) <= len(parents) {
			path = append(path, at)
			at = parents[at]
		}
		depth := d[at]
		if depth == pending {
			depth = None // a cycle
		}
		for i := len(path) - 1; i >= 0; i-- {
			if depth != None {
				depth++
			}
			d[path[i]] = depth
		}
	}
	return d
}
