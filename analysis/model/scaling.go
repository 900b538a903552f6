package model

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Scaling is predictions for 1, 2, 4 ... ranks.
type Scaling struct {
	Weak    bool    `json:"weak"` // the graph grows with the ranks; otherwise all share one
	Profile Profile `json:"profile"`
	Rows    []Row   `json:"rows"`
}

// Row is one number of ranks: a prediction for each form, in the order of Forms.
type Row struct {
	Scale int     `json:"scale"`
	Ranks int     `json:"ranks"`
	Costs []Share `json:"exchanges"`
	Best  Form    `json:"best"` // the first, and simplest, that is about as fast as the fastest
	// Of the form that the program has: a rank's memory, and why it could not run this.
	Memory float64  `json:"memory_bytes"`
	Limits []string `json:"limits,omitempty"`
}

// Share is a prediction in short.
type Share struct {
	Form     Form    `json:"exchange"`
	Seconds  float64 `json:"seconds"`
	Compute  float64 `json:"compute_seconds"`
	Inside   float64 `json:"inside_seconds"`  // exchange inside a host
	Between  float64 `json:"between_seconds"` // and between hosts
	Wait     float64 `json:"wait_seconds"`    // in barriers
	Exchange float64 `json:"exchange_share"`  // of the time of a search; waiting in barriers is not in it
	Received float64 `json:"received_bytes"`  // by each rank
	Hubs     float64 `json:"hubs,omitempty"`
	TEPS     float64 `json:"teps"`
	// Hypothetical: the program does not have the form, or refuses the graph.
	Hypothetical bool `json:"hypothetical"`
}

// Scale predicts for all powers of two up to most ranks. At weak scaling, scale is that of one rank.
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

// near is how much longer a simpler form may take than the fastest: the model is not better than that.
const near = 1.05

func rowOf(g *Graph, ranks int, p Profile) (Row, error) {
	row := Row{Scale: g.Scale, Ranks: ranks}
	fastest := math.Inf(1)
	for _, form := range Forms {
		m, err := Predict(g, ranks, p, form)
		if err != nil {
			return row, err
		}
		c := Share{form, m.Total.Seconds(), m.Total.Compute, m.Total.Inside, m.Total.Between, m.Total.Wait,
			m.Total.Exchange / m.Total.Seconds(), m.Total.Received(), 0, m.TEPS, len(m.Limits) > 0}
		if m.Hubs != nil {
			c.Hubs = m.Hubs.Vertices
		}
		row.Costs = append(row.Costs, c)
		fastest = min(fastest, c.Seconds)
		if form == Bitmap {
			row.Memory, row.Limits = m.Memory(), m.Limits
		}
	}
	for _, c := range slices.Backward(row.Costs) {
		if c.Seconds <= near*fastest {
			row.Best = c.Form
		}
	}
	return row, nil
}

// Of is the prediction of a form.
func (r Row) Of(form Form) Share {
	for _, c := range r.Costs {
		if c.Form == form {
			return c
		}
	}
	return Share{}
}

// Half is the fewest ranks of the table at which a form exchanges for more than half of the time, 0 if there is none.
func (s *Scaling) Half(form Form) int {
	for _, row := range s.Rows {
		for _, c := range row.Costs {
			if c.Form == form && c.Exchange > 0.5 {
				return row.Ranks
			}
		}
	}
	return 0
}

// Takeover is a number of ranks from which on another form is the fastest.
type Takeover struct {
	Ranks int
	Form  Form
}

// Takeovers are those of the table, its first row's form included.
func (s *Scaling) Takeovers() (all []Takeover) {
	for _, row := range s.Rows {
		if len(all) == 0 || all[len(all)-1].Form != row.Best {
			all = append(all, Takeover{row.Ranks, row.Best})
		}
	}
	return all
}
