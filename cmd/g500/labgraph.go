package main

import (
	"context"
	"fmt"

	"g500/bench"
	"g500/graph"
	"g500/lab"
)

// loadLabGraph makes the graph that a spec names: kron:scale=S, with edge factor 16, or grid2d:WxH.
func loadLabGraph(ctx context.Context, spec string) (*lab.Graph, error) {
	var scale, width, height int
	var tuples [][2]uint32
	vertices := 0
	if n, _ := fmt.Sscanf(spec, "kron:scale=%d", &scale); n == 1 && scale >= 1 && scale <= 26 {
		params := bench.DefaultConfig().Params()
		params.Scale = scale
		edges := make([]graph.Edge, params.Edges())
		params.Fill(0, edges)
		for _, e := range edges {
			tuples = append(tuples, [2]uint32{uint32(e.U()), uint32(e.V())})
		}
		vertices = int(params.Vertices())
	} else if n, _ := fmt.Sscanf(spec, "grid2d:%dx%d", &width, &height); n == 2 && width > 0 && height > 0 {
		vertices = width * height
		for v := range uint32(vertices) {
			if int(v)%width+1 < width {
				tuples = append(tuples, [2]uint32{v, v + 1})
			}
			if int(v)+width < vertices {
				tuples = append(tuples, [2]uint32{v, v + uint32(width)})
			}
		}
	} else {
		return nil, misuseError{fmt.Errorf("there is no graph %q: name one as kron:scale=16 or grid2d:512x512", spec)}
	}
	return lab.Symmetric(spec, vertices, tuples), context.Cause(ctx)
}
