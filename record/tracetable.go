// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"strconv"
	"strings"

	"g500/internal/output"
)

// traceTable returns the tables of one kernel, at most 100 columns wide, "" without a trace.
func (k KernelRun) traceTable() string {
	b := k.breakDown()
	if b.searches == 0 {
		return ""
	}
	tables := []string{b.timeTable(fmt.Sprintf("mean of %d searches%s, us", b.searches, k.Kernel.Of()))}
	if len(b.ranks) > 0 {
		tables[0] += "imbalance: the time that the slowest rank of each level computes, over the mean of all ranks\n"
		if len(b.routes) > 0 {
			tables = append(tables, b.trafficTable())
		}
		tables = append(tables, b.rankTable())
	}
	return strings.Join(tables, "\n")
}

// timeTable has a row for each kind of step, in microseconds of the mean search.
func (b *breakdown) timeTable(title string) string {
	rows := [][]string{{title, "time", "share"}}
	if len(b.ranks) > 0 {
		rows[0] = append(rows[0], "computing", "exchanging", "waiting", "imbalance")
	}
	add := func(name string, c cost) {
		row := []string{name, b.micros(c.seconds), b.share(c.seconds)}
		if len(b.ranks) > 0 && name != RestOfSearch {
			imbalance := ""
			if c.computing > 0 {
				imbalance = strconv.FormatFloat(c.slowest/c.computing, 'f', 2, 64)
			}
			row = append(row, b.micros(c.computing), b.micros(c.exchanging), b.micros(c.waiting), imbalance)
		}
		rows = append(rows, append(row, make([]string, len(rows[0])-len(row))...)) // a short row would end with a sentence
	}
	for i, c := range b.steps {
		add(b.names[i], c)
	}
	add(RestOfSearch, cost{seconds: b.seconds - b.all.seconds})
	search := b.all
	search.seconds = b.seconds
	add("whole search", search)
	return output.Aligned(rows, 1)
}

// trafficTable has a column for each payload and transport.
func (b *breakdown) trafficTable() string {
	rows := [][]string{{"sent by a rank"}}
	for _, c := range b.routes {
		rows[0] = append(rows[0], c.payload+"/"+c.transport)
	}
	add := func(name string, c cost) {
		row := []string{name}
		for _, route := range b.routes {
			row = append(row, b.bytes(c.sent[route]))
		}
		rows = append(rows, row)
	}
	for i, c := range b.steps {
		add(b.names[i], c)
	}
	add("whole search", b.all)
	return output.Aligned(rows, 1)
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

// micros returns the mean over searches of a time, in microseconds.
func (b *breakdown) micros(seconds float64) string {
	return strconv.FormatFloat(seconds/float64(b.searches)*1e6, 'f', 1, 64)
}

// share returns the part of the searches' time in percent.
func (b *breakdown) share(seconds float64) string {
	return strconv.FormatFloat(100*seconds/b.seconds, 'f', 1, 64) + "%"
}

// bytes returns the mean over searches of an amount of data.
func (b *breakdown) bytes(n float64) string {
	if n == 0 {
		return "0"
	}
	return FormatBytes(n / float64(b.searches))
}
