package formats

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// column is the meaning of a column of an edge list.
type column string

const (
	fromColumn    column = "src"
	toColumn      column = "dst"
	weightColumn  column = "weight"
	timeColumn    column = "time"
	ignoredColumn column = "-"
)

// edgeColumns and weightedColumns are the columns of edge lists without names of columns.
var (
	edgeColumns     = []column{fromColumn, toColumn}
	weightedColumns = []column{fromColumn, toColumn, weightColumn}
	everyColumn     = []column{fromColumn, toColumn, weightColumn, timeColumn, ignoredColumn}
)

// columnsOf returns the columns of a value of the parameter columns, nil for auto.
func columnsOf(text string) (all []column) {
	if text == auto {
		return nil
	}
	for word := range strings.SplitSeq(text, ",") {
		all = append(all, column(word))
	}
	return all
}

// knownColumns are common names of columns, in lower case, without underscores and quotation marks.
var knownColumns = map[string]column{
	"src": fromColumn, "source": fromColumn, "from": fromColumn, "fromnodeid": fromColumn, "node1": fromColumn,
	"id1": fromColumn, "dst": toColumn, "target": toColumn, "to": toColumn, "tonodeid": toColumn, "node2": toColumn,
	"id2": toColumn, "destination": toColumn, "weight": weightColumn, "time": timeColumn, "timestamp": timeColumn,
}

// namesOf returns the columns of a line of names, such as "src,dst,weight" or "FromNodeId ToNodeId"; nil unless both
// ends of an edge are among them. Columns with unknown names are ignored.
func namesOf(words []string) (all []column) {
	plain := strings.NewReplacer("_", "", `"`, "")
	for _, word := range words {
		c, ok := knownColumns[plain.Replace(strings.ToLower(word))]
		if !ok {
			c = ignoredColumn
		}
		all = append(all, c)
	}
	if !slices.Contains(all, fromColumn) || !slices.Contains(all, toColumn) {
		return nil
	}
	return all
}

// joined returns columns as the value of the parameter columns.
func joined(all []column) string {
	words := make([]string, len(all))
	for i, c := range all {
		words[i] = string(c)
	}
	return strings.Join(words, ",")
}

// isNumber reports whether a word is a number.
func isNumber(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil
}

// width is the number of columns of a line: filled up to the last one that is not empty, raw with empty ones, which
// lines with separators have, or with one tab between columns and no blanks.
type width struct{ raw, filled int }

// same reports whether two lines have the same number of columns.
func (w width) same(x width) bool { return w.raw == x.raw || w.filled == x.filled }

// width returns the number of columns of the line.
func (f *fields) width(separator byte) (w width) {
	line := fields{text: bytes.TrimRight(f.text, "\r\n"), separator: separator}
	for n := 1; separator != 0 || !line.blank(); n++ {
		end := columnEnd(line.text[line.at:], separator)
		last := separator != 0 && line.at+end == len(line.text)
		if word, _ := line.next(); len(word) > 0 {
			w.filled = n
		}
		if w.raw = n; last {
			break
		}
	}
	if text := bytes.TrimLeft(line.text, "\t"); separator == 0 && bytes.IndexByte(line.text, ' ') < 0 && len(text) > 0 {
		w.raw = bytes.Count(line.text, []byte{'\t'}) + 1
	}
	return w
}
