// SPDX-License-Identifier: Apache-2.0

package model

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"g500/internal/infile"
	"g500/internal/lists"
)

// Link has the times of exchanges between GPUs that are not peers, each with the kernels around it and the host's poll.
type Link struct {
	Name  string
	alone float64         // a level without an exchange: its kernels and the host's poll
	of    map[string]line // by exchange
}

// line is exchanges of one kind, in the order of their bytes.
type line []struct{ bytes, seconds float64 } // bytes that a rank receives

// ReadLinks reads the levels without vertices in a file of "g500 net --engine gpu --csv", where the bytes of an
// exchange increase: a link per transport; for the path "" one nil link.
func ReadLinks(path string) (links []*Link, err error) {
	if path == "" {
		return []*Link{nil}, nil
	}
	text, err := infile.Small(path, "link figures", 1<<20)
	if err != nil {
		return nil, err
	}
	const cure = "write the file by g500 net --engine gpu --csv"
	table, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("model: %s is no CSV: %w: %s", path, err, cure)
	}
	for _, cells := range table {
		cell := func(column string) (text string) {
			if at := slices.Index(table[0], column); at >= 0 {
				text = cells[at]
			}
			return text
		}
		exchange, is := strings.CutPrefix(cell("test"), "level ")
		if !is {
			continue
		}
		name := infile.Clean(cell("transport"))
		link := *lists.At(&links, func(l *Link) bool { return l.Name == name }, &Link{Name: name, of: map[string]line{}})
		seconds, _ := strconv.ParseFloat(cell("seconds"), 64)
		if exchange == "none" && seconds > 0 {
			link.alone = seconds
			continue
		}
		rate, _ := strconv.ParseFloat(cell("bus_bytes_per_second"), 64)
		known, moved := link.of[exchange], seconds*rate
		if !(seconds > 0 && moved > 0) || math.IsInf(moved, 0) || len(known) > 0 && moved <= known[len(known)-1].bytes {
			return nil, fmt.Errorf("model: %s has %q without a time, or without more bytes than before: %s", path, cells, cure)
		}
		link.of[exchange] = append(known, line{{moved, seconds}}...)
	}
	few := func(l *Link) bool { return min(len(l.of["all-gather"]), len(l.of["all-to-all"])) < 2 }
	if links = slices.DeleteFunc(links, few); len(links) == 0 {
		return nil, fmt.Errorf("model: %s has no transport with two sizes of each exchange of levels: %s", path, cure)
	}
	return links, nil
}

// seconds returns the time of this exchange among that many ranks in which a rank receives that many bytes: between
// the measured points, and beyond them, along straight lines. Four ranks took as long as two (results/h200x4). It is an
// assumption that each doubling from four on adds what the shortest exchange takes beyond a level without one.
func (k *Link) seconds(exchange string, bytes float64, ranks int) float64 {
	l := k.of[exchange]
	i := 1
	for i < len(l)-1 && l[i].bytes < bytes {
		i++
	}
	a, b := l[i-1], l[i]
	slope := max(0, (b.seconds-a.seconds)/(b.bytes-a.bytes))
	return a.seconds + slope*max(0, bytes-a.bytes) + max(0, l[0].seconds-k.alone)*max(0, math.Log2(float64(ranks))-2)
}
