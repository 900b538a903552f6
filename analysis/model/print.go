package model

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"g500/internal/output"
	"g500/record"
)

// written writes the text of a function.
func written(w io.Writer, write func(b *strings.Builder)) error {
	var b strings.Builder
	write(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// Format counts incompatible changes of the JSON of predictions.
const Format = 1

// Write prints the prediction as text.
func (m *Prediction) Write(w io.Writer) error { return written(w, m.write) }

func (m *Prediction) write(w *strings.Builder) {
	g := m.Graph
	fmt.Fprintf(w, "scale %d, ranks %d, nodes %d, exchange %s: %s of %s vertices have an edge, %s are in the non-leaf "+
		"subgraph, %s directed edges\n\n",
		g.Scale, m.Ranks, m.Nodes, m.Scheme, count(g.Vertices), count(g.Labels), count(g.Inner), count(g.Edges))
	t := output.NewTable(w)
	t.Named("times", "frontier", "of non-leaf", "edges", "of E", "from peers", "by MPI",
		"compute us", "inside", "between", "wait", "")
	for _, s := range append(m.Steps, m.Total) {
		t.Named(fmt.Sprintf("%.2f", s.Times), count(s.Frontier), share(s.Frontier, g.Inner),
			count(s.Edges), share(s.Edges, g.InnerEdges), received(s, "peer"), received(s, "mpi"),
			micros(s.Compute), micros(s.Inside), micros(s.Between), micros(s.Wait), s.Name)
	}
	t.Flush()
	hypothetical := ""
	if len(m.Limits) > 0 {
		hypothetical = " (hypothetical: see below)"
	}
	fmt.Fprintf(w, "\n%s a search, %s%s; %.1f%% of it is exchange that is not overlapped\n",
		record.FormatSeconds(m.Total.Seconds()), record.FormatTEPS(m.TEPS), hypothetical,
		100*m.Total.Exchange/m.Total.Seconds())
	if m.Ranks > 1 {
		fmt.Fprintf(w, "overlapping each step's exchange with its own work would save %s at most, %.1f%%\n",
			record.FormatSeconds(m.Overlap), 100*m.Overlap/m.Total.Seconds())
	}
	fmt.Fprintf(w, "%s a GPU\nmeasured: steps on one GPU and two of one node; derived: the graph, its levels, bytes of "+
		"all bitmaps; assumed: %g GB/s to peers", record.FormatTEPS(m.TEPS/float64(m.Ranks)), m.Profile.Node.PeerGBs)
	if n := m.Profile.Network; m.Nodes > 1 {
		fmt.Fprintf(w, ",\nnetwork %s with %g GB/s a GPU each way, %g us latency, %g us a message. "+
			"No search between nodes with GPUs has been measured.", n.Name, n.GBs, n.Latency, n.Overhead)
	}
	fmt.Fprintf(w, "\na rank sends %s and receives %s\n",
		record.FormatBytes(m.Total.Sent()), record.FormatBytes(m.Total.Received()))
	if m.Hubs != nil {
		fmt.Fprintf(w, "hubs: %s, to which %s of the edges lead; %s of the edges join two others\n",
			count(m.Hubs.Vertices), share(m.Hubs.FarEnds, 1), share(m.Hubs.Light, 1))
	}
	p := float64(m.Ranks)
	fmt.Fprintf(w, "\nmemory of a rank, for v = %s vertices with an edge, e = %s edges, n = %s labels:\n\n",
		count(g.Vertices/p), count(g.Edges/p), count(g.Labels/p))
	t = output.NewTable(w)
	for _, a := range m.Arrays {
		t.Named(record.FormatBytes(a.Bytes), a.Name+": "+a.Basis)
	}
	t.Named(record.FormatBytes(m.Memory()), "all, without kernel 1's working memory")
	t.Flush()
	writeLines(w, "cannot run: ", m.Limits)
}

func writeLines(w *strings.Builder, prefix string, lines []string) {
	for _, line := range lines {
		w.WriteString(prefix + line + "\n")
	}
}

// Write prints the table as text: first what the program does, then hypothetical exchanges.
func (s *Scaling) Write(w io.Writer) error { return written(w, s.write) }

func (s *Scaling) write(w *strings.Builder) {
	how := "strong scaling: one graph"
	if s.Weak {
		how = "weak scaling: the scale grows with the ranks"
	}
	fmt.Fprintf(w, "%s; ms a search, and the share of it that is exchange\n\nthe program as it is\n\n", how)
	s.writeProgram(w)
	fmt.Fprint(w, "\nHYPOTHETICAL on GPUs: gaps and queries as the CPU engine has them; hubs and grid, which are not "+
		"implemented; and rows with *, which the program refuses\n\n")
	times, received := output.NewTable(w), output.NewTable(w)
	times.Named(append(schemeNames("ranks", "scale"), "best", "its GTEPS", "a GPU", "efficiency", "")...)
	received.Named(append(schemeNames("ranks"), "hubs", "")...)
	alone := s.Rows[0].Of(s.Rows[0].Best).TEPS / float64(s.Rows[0].Ranks)
	for _, r := range s.Rows {
		time, bytes := []string{fmt.Sprint(r.Ranks), fmt.Sprint(r.Scale)}, []string{fmt.Sprint(r.Ranks)}
		for _, c := range r.Costs {
			time, bytes = append(time, c.time()), append(bytes, bytesOrNone(c.Received))
		}
		teps := r.Of(r.Best).TEPS
		each := teps / float64(r.Ranks)
		times.Named(append(time, string(r.Best), fmt.Sprintf("%.0f", teps/1e9), fmt.Sprintf("%.0f", each/1e9),
			fmt.Sprintf("%.0f%%", 100*each/alone), r.mark())...)
		received.Named(append(bytes, count(r.Of(Hubs).Hubs), r.mark())...)
	}
	times.Flush()
	fmt.Fprintf(w, "\nthe simplest within %.0f%% of the fastest: %s\nexchange is more than half of a search: %s\n\n"+
		"bytes that a rank receives in a search\n\n", 100*(near-1), s.bestSchemes(), s.halves())
	received.Flush()
}

// bestSchemes lists the ranks from which on another scheme is the best.
func (s *Scaling) bestSchemes() string {
	var all []string
	var last Scheme
	for _, r := range s.Rows {
		if r.Best != last {
			all, last = append(all, fmt.Sprintf("%s from %d%s", r.Best, r.Ranks, r.mark())), r.Best
		}
	}
	return strings.Join(all, ", ")
}

// halves lists the fewest ranks at which each scheme exchanges for more than half of the time.
func (s *Scaling) halves() string {
	var all []string
	for i, scheme := range Schemes {
		from := "never"
		for _, r := range s.Rows {
			if r.Costs[i].Exchange > 0.5 {
				from = fmt.Sprintf("from %d%s", r.Ranks, r.mark())
				break
			}
		}
		all = append(all, string(scheme)+" "+from)
	}
	return strings.Join(all, ", ")
}

// writeProgram prints the exchanges of the program, and why it refuses a row.
func (s *Scaling) writeProgram(w *strings.Builder) {
	t := output.NewTable(w)
	t.Named("ranks", "scale", string(Bitmap), string(Bins), "GTEPS", "memory", "")
	for _, r := range s.Rows {
		cells := []string{fmt.Sprint(r.Ranks), fmt.Sprint(r.Scale)}
		fastest := 0.0
		for _, c := range []Summary{r.Of(Bitmap), r.Of(Bins)} {
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
	t.Flush()
}

// mark is "*" if the program refuses the row.
func (r Row) mark() string {
	if len(r.Limits) > 0 {
		return "*"
	}
	return ""
}

func (c Summary) time() string { return fmt.Sprintf("%.3g %3.0f%%", c.Seconds*1e3, 100*c.Exchange) }

// schemeNames appends the names of all schemes.
func schemeNames(names ...string) []string {
	for _, s := range Schemes {
		names = append(names, string(s))
	}
	return names
}

// Write prints the predictions on all networks as text.
func (all *OnNetworks) Write(w io.Writer) error { return written(w, all.write) }

func (all *OnNetworks) write(w *strings.Builder) {
	fmt.Fprintf(w, "scale %d on %d GPUs, %d on a node; ms of a search by part. Modelled: exchange between nodes with "+
		"GPUs has not been measured.\nHYPOTHETICAL on GPUs: gaps and queries as the CPU engine has them; hubs and grid, "+
		"which are not implemented\n\n", all.Scale, all.Ranks, all.Node)
	t := output.NewTable(w)
	t.Named("network", "GB/s", "latency us", "exchange", "search ms", "compute", "inside", "between", "wait", "GTEPS",
		"a GPU", "")
	for i, n := range Networks() {
		for _, c := range all.Costs[i] {
			ms := func(seconds float64) string { return fmt.Sprintf("%.3g", seconds*1e3) }
			t.Named(n.Name, fmt.Sprint(n.GBs), fmt.Sprint(n.Latency), string(c.Scheme), ms(c.Seconds), ms(c.Compute),
				ms(c.Inside), ms(c.Between), ms(c.Wait), fmt.Sprintf("%.0f", c.TEPS/1e9),
				record.FormatTEPS(c.TEPS/float64(all.Ranks)), "")
		}
	}
	t.Flush()
	fmt.Fprint(w, "\nGB/s of a port are from data sheets; latency is assumed, and so is one port for each GPU\n")
	writeLines(w, "cannot run: ", all.Limits)
}

// Write prints the comparison as text.
func (c *Comparison) Write(w io.Writer) error { return written(w, c.write) }

func (c *Comparison) write(w *strings.Builder) {
	m := c.Prediction
	fmt.Fprintf(w, "scale %d, ranks %d, nodes %d: model / mean of %d traced searches\n\n",
		m.Graph.Scale, m.Ranks, m.Nodes, c.Searches)
	t := output.NewTable(w)
	t.Named("times", "frontier of non-leaf", "edges of E", "received", "compute us", "exchange", "wait",
		"slowest rank us", "")
	for i, s := range append(m.Steps, m.Total) {
		got := c.Total
		if i < len(c.Measured) {
			got = c.Measured[i]
		}
		t.Named(both(fmt.Sprintf("%.2f", s.Times), fmt.Sprintf("%.2f", got.Times)),
			both(share(s.Frontier, m.Graph.Inner), share(got.Frontier, m.Graph.Inner)),
			both(share(s.Edges, m.Graph.InnerEdges), share(got.Edges, m.Graph.InnerEdges)),
			both(bytesOrNone(s.Received()), bytesOrNone(got.Received())),
			both(micros(s.Compute), micros(got.Compute)), both(micros(s.Exchange), micros(got.Exchange)),
			both(micros(s.Wait), micros(got.Wait)), both(micros(s.Seconds()), micros(got.Slowest)), s.Name)
	}
	t.Flush()
	measured := "no TEPS, since the run is not VALID"
	if c.TEPS > 0 {
		measured = record.FormatTEPS(c.TEPS)
	}
	fmt.Fprintf(w, "\n%s / %s: the model's time is %.2f times the measured one\nmeasured on %s\n",
		record.FormatTEPS(m.TEPS), measured, m.Total.Seconds()/c.Total.Slowest, c.Device)
	writeLines(w, "note: ", c.Notes)
}

// both is a cell with a prediction and a measurement, "" without either.
func both(model, measured string) string {
	if model == "" && measured == "" {
		return ""
	}
	return cmp.Or(model, "-") + " / " + cmp.Or(measured, "-")
}

// unless0 formats a number, 0 as "".
func unless0(x float64, format func(float64) string) string {
	if x == 0 {
		return ""
	}
	return format(x)
}

func micros(seconds float64) string {
	return unless0(seconds, func(s float64) string { return fmt.Sprintf("%.1f", s*1e6) })
}

func share(part, all float64) string {
	return unless0(part, func(x float64) string { return fmt.Sprintf("%.3g%%", 100*x/all) })
}

func bytesOrNone(x float64) string { return unless0(x, record.FormatBytes) }

// count formats a number of items: 121 M.
func count(x float64) string { return strings.TrimSuffix(bytesOrNone(x), "B") }

// received formats the bytes received by a GPU transport.
func received(s Step, transport string) string {
	sum := 0.0
	for _, l := range s.Links {
		if l.Transport == transport {
			sum += l.Received
		}
	}
	return bytesOrNone(sum)
}
