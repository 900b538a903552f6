package model

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Scaling is predictions for 1, 2, 4 ... ranks.
type Scaling struct {
	Weak    bool    `json:"weak"` // the graph grows with the ranks
	Profile Profile `json:"profile"`
	Rows    []Row   `json:"rows"`
}

// Row is the predictions for one number of ranks.
type Row struct {
	Scale  int       `json:"scale"`
	Ranks  int       `json:"ranks"`
	Costs  []Summary `json:"exchanges"`    // in the order of Schemes
	Best   Scheme    `json:"best"`         // the first, and simplest, that is about as fast as the fastest
	Memory float64   `json:"memory_bytes"` // of a rank with Bitmap
	Limits []string  `json:"limits,omitempty"`
}

// Summary is a short prediction of a scheme.
type Summary struct {
	Scheme       Scheme  `json:"exchange"`
	Seconds      float64 `json:"seconds"`
	Compute      float64 `json:"compute_seconds"`
	Inside       float64 `json:"inside_seconds"`  // exchange inside a node
	Between      float64 `json:"between_seconds"` // exchange between nodes
	Wait         float64 `json:"wait_seconds"`    // in barriers
	Exchange     float64 `json:"exchange_share"`  // of the time of a search, without waiting in barriers
	Received     float64 `json:"received_bytes"`  // by each rank
	Hubs         float64 `json:"hubs,omitempty"`
	TEPS         float64 `json:"teps"`
	Hypothetical bool    `json:"hypothetical"` // the program does not have the scheme, or refuses the graph
}

// Scale predicts for all powers of two up to most ranks. In weak scaling, scale is per rank.
func Scale(scale, most int, weak bool, p Profile) (*Scaling, error) {
	if most < 1 {
		return nil, fmt.Errorf("model: a table up to %d ranks is empty: choose at least 1", most)
	}
	if err := checkLargest(scale, most, weak); err != nil {
		return nil, err
	}
	s := &Scaling{Weak: weak, Profile: p}
	for ranks, of := 1, scale; ranks <= most; ranks *= 2 {
		g, err := NewGraph(of)
		if err != nil {
			return nil, err
		}
		row, err := rowOf(g, ranks, p)
		if err != nil {
			return nil, err
		}
		s.Rows = append(s.Rows, row)
		if weak {
			of++
		}
	}
	return s, nil
}

// checkLargest refuses a table whose last row has no graph, before the first row is computed.
func checkLargest(scale, most int, weak bool) error {
	doublings := bits.Len(uint(most)) - 1
	switch {
	case scale < 1 || scale > MaxScale:
		return scaleError(scale)
	case weak && scale+doublings > MaxScale:
		return fmt.Errorf("model: at weak scaling from scale %d on, %d ranks need scale %d, and %d is the largest: "+
			"choose at most %d ranks, or scale %d", scale, 1<<doublings, scale+doublings, MaxScale, 1<<(MaxScale-scale),
			MaxScale-doublings)
	case !weak && doublings > scale:
		return sharingError(1<<doublings, scale)
	}
	return nil
}

// near is the largest time of a simpler scheme relative to the fastest, within the precision of the model.
const near = 1.05

func rowOf(g *Graph, ranks int, p Profile) (Row, error) {
	row := Row{Scale: g.Scale, Ranks: ranks}
	fastest := math.Inf(1)
	for _, scheme := range Schemes {
		m, err := Predict(g, ranks, p, scheme)
		if err != nil {
			return row, err
		}
		c := Summary{scheme, m.Total.Seconds(), m.Total.Compute, m.Total.Inside, m.Total.Between, m.Total.Wait,
			m.Total.Exchange / m.Total.Seconds(), m.Total.Received(), 0, m.TEPS, len(m.Limits) > 0}
		if m.Hubs != nil {
			c.Hubs = m.Hubs.Vertices
		}
		row.Costs = append(row.Costs, c)
		fastest = min(fastest, c.Seconds)
		if scheme == Bitmap {
			row.Memory, row.Limits = m.Memory(), m.Limits
		}
	}
	row.Best = row.Costs[slices.IndexFunc(row.Costs, func(c Summary) bool { return c.Seconds <= near*fastest })].Scheme
	return row, nil
}

// Of returns the prediction of a scheme.
func (r Row) Of(scheme Scheme) Summary { return r.Costs[slices.Index(Schemes, scheme)] }

// OnNetworks is the predictions for a graph and a number of ranks on each network with a name.
type OnNetworks struct {
	Scale  int         `json:"scale"`
	Ranks  int         `json:"ranks"`
	Node   int         `json:"ranks_per_node"`
	Costs  [][]Summary `json:"costs"` // by network, then by scheme
	Names  []string    `json:"networks"`
	Limits []string    `json:"limits,omitempty"` // reasons why the program could not run this
}

// PredictNetworks predicts on each network.
func PredictNetworks(g *Graph, ranks int, p Profile) (*OnNetworks, error) {
	all := &OnNetworks{Scale: g.Scale, Ranks: ranks, Node: p.Node.Ranks}
	for _, p.Network = range Networks() {
		row, err := rowOf(g, ranks, p)
		if err != nil {
			return nil, err
		}
		all.Names = append(all.Names, p.Network.Name)
		all.Costs, all.Limits = append(all.Costs, row.Costs), row.Limits
	}
	return all, nil
}
