// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// column is the meaning of a column of an edge list.
type column = string

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
func columnsOf(text string) []column {
	if text == auto {
		return nil
	}
	return strings.Split(text, ",")
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

// isNumber reports whether a word is a number.
func isNumber(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil
}

// width returns the number of columns of the line. Columns between tabs may be empty, as between other separators, if
// the line has no blanks.
func (f *fields) width(separator byte) (n int) {
	line := fields{text: bytes.TrimRight(f.text, "\r\n"), separator: separator}
	if separator == 0 && bytes.IndexByte(line.text, ' ') < 0 && len(bytes.TrimLeft(line.text, "\t")) > 0 {
		return bytes.Count(line.text, []byte{'\t'}) + 1
	}
	for separator == 0 && !line.blank() {
		line.next()
		n++
	}
	for at := 0; separator != 0 && at <= len(line.text); n++ {
		at += columnEnd(line.text[at:], separator) + 1
	}
	return n
}

// hasColumnsOf reports whether the line has as many columns as another one, with or without the empty ones at its end.
func (f *fields) hasColumnsOf(other *fields, separator, otherSeparator byte) bool {
	return f.width(separator) == other.width(otherSeparator) || len(f.all(separator)) == len(other.all(otherSeparator))
}
