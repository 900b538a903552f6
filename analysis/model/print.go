package model

import (
	"fmt"
	"io"
	"strings"

	"g500/internal/output"
	"g500/record"
)

// Write prints the prediction for people.
func (m *Prediction) Write(w io.Writer) error {
	g := m.Graph
	fmt.Fprintf(w, "scale %d, ranks %d, hosts %d, exchange %s: %s of %s vertices have an edge, %s are in the core, "+
		"%s directed edges\n\n",
		g.Scale, m.Ranks, m.Hosts, m.Form, count(g.Vertices), count(g.Labels), count(g.Core), count(g.Edges))
	t := output.NewTable(w)
	t.Named("times", "frontier", "of core", "edges", "of E", "from peers", "by MPI",
		"compute us", "inside", "between", "wait", "")
	for _, s := range append(m.Steps, m.Total) {
		t.Named(fmt.Sprintf("%.2f", s.Times), count(s.Frontier), share(s.Frontier, g.Core),
			count(s.Edges), share(s.Edges, g.CoreEnds), received(s, "peer"), received(s, "mpi"),
			micros(s.Compute), micros(s.Inside), micros(s.Between), micros(s.Wait), s.Name)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	hypothetical := ""
	if len(m.Limits) > 0 {
		hypothetical = " (hypothetical: see below)"
	}
	fmt.Fprintf(w, "\n%s a search, %s%s; %.1f%% of it is exchange that nothing hides\n",
		record.FormatSeconds(m.Total.Seconds()), record.FormatTEPS(m.TEPS), hypothetical,
		100*m.Total.Exchange/m.Total.Seconds())
	if m.Ranks > 1 {
		fmt.Fprintf(w, "each step's exchange beside its own work would save %s at most, %.1f%%\n",
			record.FormatSeconds(m.Overlap), 100*m.Overlap/m.Total.Seconds())
	}
	fmt.Fprintf(w, "%s a GPU\n", record.FormatTEPS(m.TEPS/float64(m.Ranks)))
	m.writeBasis(w)
	fmt.Fprintf(w, "a rank sends %s and receives %s\n",
		record.FormatBytes(m.Total.Sent()), record.FormatBytes(m.Total.Received()))
	if m.Hubs != nil {
		fmt.Fprintf(w, "hubs: %s, to which %s of the edges lead; %s of the edges join two others\n",
			count(m.Hubs.Vertices), share(m.Hubs.FarEnds, 1), share(m.Hubs.Light, 1))
	}
	return m.writeMemory(w)
}

// writeBasis tells what was measured from what is assumed.
func (m *Prediction) writeBasis(w io.Writer) {
	n := m.Profile.Network
	fmt.Fprint(w, "measured: steps on one GPU and two of one host; derived: the graph, its levels, bytes of all bitmaps; ")
	if m.Hosts == 1 {
		fmt.Fprintf(w, "assumed: %g GB/s to peers\n", m.Profile.Host.PeerGBs)
		return
	}
	fmt.Fprintf(w, "assumed: %g GB/s to peers,\nnetwork %s with %g GB/s a GPU each way, %g us latency, %g us a message. "+
		"No search between hosts of GPUs has been measured.\n", m.Profile.Host.PeerGBs, n.Name, n.GBs, n.Latency, n.Overhead)
}

func (m *Prediction) writeMemory(w io.Writer) error {
	g, p := m.Graph, float64(m.Ranks)
	fmt.Fprintf(w, "\nmemory of a rank, for v = %s vertices with an edge, e = %s edges, n = %s labels:\n\n",
		count(g.Vertices/p), count(g.Edges/p), count(g.Labels/p))
	t := output.NewTable(w)
	for _, a := range m.Arrays {
		t.Named(record.FormatBytes(a.Bytes), a.Name+": "+a.Basis)
	}
	t.Named(record.FormatBytes(m.Memory()), "all, without kernel 1's working memory")
	if err := t.Flush(); err != nil {
		return err
	}
	for _, limit := range m.Limits {
		fmt.Fprintf(w, "cannot run: %s\n", limit)
	}
	return nil
}

// Write prints the table for people: first what the program does, then, apart, what it could be made to do.
func (s *Scaling) Write(w io.Writer) error {
	how := "strong scaling: one graph"
	if s.Weak {
		how = "weak scaling: the scale grows with the ranks"
	}
	fmt.Fprintf(w, "%s; ms a search, and the share of it that is exchange\n\nthe program as it is\n\n", how)
	if err := s.writeProgram(w); err != nil {
		return err
	}
	fmt.Fprint(w, "\nHYPOTHETICAL: gaps and questions (which the engine on CPUs has), hubs and grid are exchanges that "+
		"the engine on GPUs does not have; rows with * it refuses\n\n")
	if err := s.writeHypothetical(w); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nthe simplest within %.0f%% of the fastest: ", 100*(near-1))
	for i, take := range s.Takeovers() {
		if i > 0 {
			fmt.Fprint(w, ", ")
		}
		fmt.Fprintf(w, "%s from %s", take.Form, s.ranksWithMark(take.Ranks))
	}
	fmt.Fprint(w, "\nexchange is more than half of a search: ")
	for i, f := range Forms {
		if i > 0 {
			fmt.Fprint(w, ", ")
		}
		if half := s.Half(f); half > 0 {
			fmt.Fprintf(w, "%s from %s", f, s.ranksWithMark(half))
		} else {
			fmt.Fprintf(w, "%s never", f)
		}
	}
	fmt.Fprint(w, "\n\nbytes that a rank receives in a search\n\n")
	return s.writeBytes(w)
}

// writeProgram shows the exchanges that the program has, and why it refuses a row.
func (s *Scaling) writeProgram(w io.Writer) error {
	t := output.NewTable(w)
	t.Named("ranks", "scale", string(Bitmap), string(Bins), "GTEPS", "memory", "")
	for _, r := range s.Rows {
		cells := []string{fmt.Sprint(r.Ranks), fmt.Sprint(r.Scale)}
		fastest := 0.0
		for _, c := range r.Costs {
			if !c.Form.Exists() {
				continue
			}
			cell := ""
			if !c.Hypothetical {
				cell, fastest = c.time(), max(fastest, c.TEPS)
			}
			cells = append(cells, cell)
		}
		rate, refused := fmt.Sprintf("%.0f", fastest/1e9), ""
		if len(r.Limits) > 0 {
			rate, refused = "", "refused: "+strings.Join(r.Limits, "; ")
		}
		t.Named(append(cells, rate, record.FormatBytes(r.Memory), refused)...)
	}
	return t.Flush()
}

// writeHypothetical shows all exchanges as if the program had them, without a limit.
func (s *Scaling) writeHypothetical(w io.Writer) error {
	t := output.NewTable(w)
	t.Named(append(append([]string{"ranks", "scale"}, formNames()...), "best", "its GTEPS", "a GPU", "efficiency", "")...)
	alone := 0.0 // TEPS of a GPU in the first row
	for _, r := range s.Rows {
		cells := []string{fmt.Sprint(r.Ranks), fmt.Sprint(r.Scale)}
		teps := 0.0
		for _, c := range r.Costs {
			cells = append(cells, c.time())
			if c.Form == r.Best {
				teps = c.TEPS
			}
		}
		each := teps / float64(r.Ranks)
		if alone == 0 {
			alone = each
		}
		t.Named(append(cells, string(r.Best), fmt.Sprintf("%.0f", teps/1e9), fmt.Sprintf("%.0f", each/1e9),
			fmt.Sprintf("%.0f%%", 100*each/alone), r.mark())...)
	}
	return t.Flush()
}

// mark is "*" if the program refuses the row.
func (r Row) mark() string {
	if len(r.Limits) > 0 {
		return "*"
	}
	return ""
}

// ranksWithMark is a number of ranks of the table with the mark of its row.
func (s *Scaling) ranksWithMark(ranks int) string {
	for _, r := range s.Rows {
		if r.Ranks == ranks {
			return fmt.Sprintf("%d%s", ranks, r.mark())
		}
	}
	return fmt.Sprint(ranks)
}

func (c Share) time() string { return fmt.Sprintf("%.3g %3.0f%%", c.Seconds*1e3, 100*c.Exchange) }

func (s *Scaling) writeBytes(w io.Writer) error {
	t := output.NewTable(w)
	t.Named(append(append([]string{"ranks"}, formNames()...), "hubs", "")...)
	for _, r := range s.Rows {
		cells := []string{fmt.Sprint(r.Ranks)}
		hubs := ""
		for _, c := range r.Costs {
			cells = append(cells, bytesOrNone(c.Received))
			if c.Form == Hubs {
				hubs = count(c.Hubs)
			}
		}
		t.Named(append(cells, hubs, r.mark())...)
	}
	return t.Flush()
}

func formNames() (names []string) {
	for _, f := range Forms {
		names = append(names, string(f))
	}
	return names
}

// Write prints the comparison for people.
func (c *Comparison) Write(w io.Writer) error {
	m := c.Prediction
	fmt.Fprintf(w, "scale %d, ranks %d, hosts %d: model / mean of %d traced searches\n\n",
		m.Graph.Scale, m.Ranks, m.Hosts, c.Searches)
	t := output.NewTable(w)
	t.Named("times", "frontier of core", "edges of E", "received", "compute us", "exchange", "wait", "slowest rank us", "")
	for i, s := range append(m.Steps, m.Total) {
		got := c.Total
		if i < len(c.Measured) {
			got = c.Measured[i]
		}
		t.Named(beside(fmt.Sprintf("%.2f", s.Times), fmt.Sprintf("%.2f", got.Times)),
			beside(share(s.Frontier, m.Graph.Core), share(got.Frontier, m.Graph.Core)),
			beside(share(s.Edges, m.Graph.CoreEnds), share(got.Edges, m.Graph.CoreEnds)),
			beside(bytesOrNone(s.Received()), bytesOrNone(got.Received())),
			beside(micros(s.Compute), micros(got.Compute)), beside(micros(s.Exchange), micros(got.Exchange)),
			beside(micros(s.Wait), micros(got.Wait)), beside(micros(s.Seconds()), micros(got.Slowest)), s.Name)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	measured := "no TEPS, since the run is not VALID"
	if c.TEPS > 0 {
		measured = record.FormatTEPS(c.TEPS)
	}
	text := fmt.Sprintf("\n%s / %s: the model's time is %.2f times the measured one\nmeasured on %s\n",
		record.FormatTEPS(m.TEPS), measured, m.Total.Seconds()/c.Total.Slowest, c.Device)
	for _, note := range c.Notes {
		text += "note: " + note + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// beside puts a prediction and a measurement into one cell, "" where there is neither.
func beside(model, measured string) string {
	if model == "" && measured == "" {
		return ""
	}
	none := func(s string) string {
		if s == "" {
			return "-"
		}
		return s
	}
	return none(model) + " / " + none(measured)
}

func micros(seconds float64) string {
	if seconds == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", seconds*1e6)
}

// share is a part of a whole, "" for none.
func share(part, whole float64) string {
	if part == 0 {
		return ""
	}
	return fmt.Sprintf("%.3g%%", 100*part/whole)
}

// count is a number of things: 121 M.
func count(x float64) string {
	if x == 0 {
		return ""
	}
	return strings.TrimSuffix(record.FormatBytes(x), "B")
}

func bytesOrNone(x float64) string {
	if x == 0 {
		return ""
	}
	return record.FormatBytes(x)
}

// received is what comes in by a transport.
func received(s Step, transport string) string {
	sum := 0.0
	for _, l := range s.Links {
		if l.Transport == transport {
			sum += l.Received
		}
	}
	return bytesOrNone(sum)
}
