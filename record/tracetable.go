package record

import (
	"fmt"
	"strconv"
	"strings"

	"g500/internal/output"
)

// traceTables returns the tables of time by step of each kernel, "" for a run without a trace.
func (r *Run) traceTables() string {
	var tables []string
	for _, k := range r.Kernels {
		if table := k.traceTable(); table != "" {
			tables = append(tables, table)
		}
	}
	return strings.Join(tables, "\n")
}

// traceTable returns the tables of one kernel, which are at most 100 columns wide.
func (k KernelRun) traceTable() string {
	b := k.breakDown()
	if b.searches == 0 {
		return ""
	}
	tables := []string{b.timeTable(fmt.Sprintf("mean of %d searches%s, us", b.searches, k.Kernel.Of()))}
	if len(b.ranks) > 0 {
		tables[0] += "imbalance: the time that the slowest rank of each level computes, over the mean of all ranks\n"
		if len(b.ways) > 0 {
			tables = append(tables, b.trafficTable())
		}
		tables = append(tables, b.rankTable())
	}
	return strings.Join(tables, "\n")
}

// timeTable has a row for each kind of step, in microseconds of the mean search.
func (b *breakdown) timeTable(title string) string {
	head := []string{title, "time", "share"}
	if len(b.ranks) > 0 {
		head = append(head, "computing", "exchanging", "waiting", "imbalance")
	}
	rows := [][]string{head}
	for i, c := range b.steps {
		rows = append(rows, b.timeRow(b.names[i], c))
	}
	whole := b.whole()
	rows = append(rows, []string{"rest", b.micros(b.seconds - whole.seconds), b.share(b.seconds - whole.seconds)})
	whole.seconds = b.seconds
	return output.Aligned(append(rows, b.timeRow("whole search", whole)), 1)
}

func (b *breakdown) timeRow(name string, c cost) []string {
	row := []string{name, b.micros(c.seconds), b.share(c.seconds)}
	if len(b.ranks) == 0 {
		return row
	}
	imbalance := ""
	if c.computing > 0 {
		imbalance = strconv.FormatFloat(c.slowest/c.computing, 'f', 2, 64)
	}
	return append(row, b.micros(c.computing), b.micros(c.exchanging), b.micros(c.waiting), imbalance)
}

// trafficTable has a column for each way that bytes went.
func (b *breakdown) trafficTable() string {
	head := []string{"sent by a rank"}
	for _, w := range b.ways {
		head = append(head, w.payload+"/"+w.transport)
	}
	row := func(name string, c cost) []string {
		row := []string{name}
		for _, w := range b.ways {
			row = append(row, b.bytes(c.sent[w]))
		}
		return row
	}
	rows := [][]string{head}
	for i, c := range b.steps {
		rows = append(rows, row(b.names[i], c))
	}
	return output.Aligned(append(rows, row("whole search", b.whole())), 1)
}

// rankTable has a row for each rank.
func (b *breakdown) rankTable() string {
	rows := [][]string{{"all steps, us", "computing", "exchanging", "waiting", "sent", "received"}}
	for r, c := range b.ranks {
		rows = append(rows, []string{fmt.Sprintf("rank %d", r),
			b.micros(c.computing), b.micros(c.exchanging), b.micros(c.waiting), b.bytes(c.sent), b.bytes(c.received)})
	}
	return output.Aligned(rows, 1)
}

// micros is the mean over searches of a time.
func (b *breakdown) micros(seconds float64) string {
	return strconv.FormatFloat(seconds/float64(b.searches)*1e6, 'f', 1, 64)
}

// share is the part of the searches' time.
func (b *breakdown) share(seconds float64) string {
	return strconv.FormatFloat(100*seconds/b.seconds, 'f', 1, 64) + "%"
}

// bytes is the mean over searches of an amount of data.
func (b *breakdown) bytes(n float64) string {
	if n == 0 {
		return "0"
	}
	return FormatBytes(n / float64(b.searches))
}
