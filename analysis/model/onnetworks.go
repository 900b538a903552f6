package model

import (
	"fmt"
	"io"

	"g500/internal/output"
	"g500/record"
)

// OnNetworks is one graph on so many ranks, on each network that is known by name.
type OnNetworks struct {
	Scale int       `json:"scale"`
	Ranks int       `json:"ranks"`
	Host  int       `json:"ranks_per_host"`
	Costs [][]Share `json:"costs"` // by network, then by form
	Names []string  `json:"networks"`
	// Why the program could not run this.
	Limits []string `json:"limits,omitempty"`

	used []Network // with the assumptions about them
}

// PredictNetworks predicts on each network.
func PredictNetworks(g *Graph, ranks int, p Profile) (*OnNetworks, error) {
	all := &OnNetworks{Scale: g.Scale, Ranks: ranks, Host: p.Host.Ranks, used: Networks()}
	for _, p.Network = range all.used {
		row, err := rowOf(g, ranks, p)
		if err != nil {
			return nil, err
		}
		all.Names = append(all.Names, p.Network.Name)
		all.Costs, all.Limits = append(all.Costs, row.Costs), row.Limits
	}
	return all, nil
}

// Write prints it for people.
func (all *OnNetworks) Write(w io.Writer) error {
	fmt.Fprintf(w, "scale %d on %d GPUs, %d on a host; ms of a search by tier. Modelled: between hosts of GPUs "+
		"nothing is measured.\nHYPOTHETICAL: gaps, questions, hubs and grid are exchanges that the engine on GPUs does not "+
		"have\n\n",
		all.Scale, all.Ranks, all.Host)
	t := output.NewTable(w)
	t.Named("network", "GB/s", "latency us", "exchange", "search ms", "compute", "inside", "between", "wait", "GTEPS",
		"a GPU", "")
	for i, n := range all.used {
		for _, c := range all.Costs[i] {
			ms := func(seconds float64) string { return fmt.Sprintf("%.3g", seconds*1e3) }
			t.Named(n.Name, fmt.Sprint(n.GBs), fmt.Sprint(n.Latency), string(c.Form), ms(c.Seconds), ms(c.Compute),
				ms(c.Inside), ms(c.Between), ms(c.Wait), fmt.Sprintf("%.0f", c.TEPS/1e9),
				record.FormatTEPS(c.TEPS/float64(all.Ranks)), "")
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	text := "\nGB/s of a port are from data sheets; latency is assumed, and so is one port for each GPU\n"
	for _, limit := range all.Limits {
		text += "cannot run: " + limit + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}
