package formats

import (
	"fmt"
	"slices"
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

// edgeColumns are the columns of an edge list in which no column has a name; weightedColumns are the same with
// weights.
var (
	edgeColumns     = []column{fromColumn, toColumn}
	weightedColumns = []column{fromColumn, toColumn, weightColumn}
)

// columnNames are the values of the parameter columns.
type columnNames struct{}

// Takes reports whether a text is auto, or a list of columns that has src and dst, and only - more than once.
func (columnNames) Takes(text string) bool {
	if text == "auto" {
		return true
	}
	seen := map[column]bool{}
	for _, c := range columnsOf(text) {
		if !slices.Contains(everyColumn, c) || seen[c] && c != ignoredColumn {
			return false
		}
		seen[c] = true
	}
	return seen[fromColumn] && seen[toColumn]
}

func (columnNames) Range() string {
	return "auto, or src, dst, weight, time and - (ignored) in the order of the columns, as in src,dst,weight"
}

var everyColumn = []column{fromColumn, toColumn, weightColumn, timeColumn, ignoredColumn}

// columnsOf returns the columns of a value of the parameter, nil for auto.
func columnsOf(text string) (all []column) {
	if text == "auto" {
		return nil
	}
	for _, word := range strings.Split(text, ",") {
		all = append(all, column(word))
	}
	return all
}

// namesOf finds the columns in a line of names, such as "src,dst,weight" or "FromNodeId ToNodeId". It returns nil for a
// line that has not both ends of an edge among them. A column with a name that it does not know is ignored.
func namesOf(words []string) (all []column) {
	known := map[string]column{
		"src": fromColumn, "source": fromColumn, "from": fromColumn, "fromnodeid": fromColumn, "node1": fromColumn,
		"id1": fromColumn, "dst": toColumn, "target": toColumn, "to": toColumn, "tonodeid": toColumn, "node2": toColumn,
		"id2": toColumn, "destination": toColumn, "weight": weightColumn, "time": timeColumn, "timestamp": timeColumn,
	}
	plain := strings.NewReplacer("_", "", `"`, "")
	for _, word := range words {
		c, ok := known[plain.Replace(strings.ToLower(word))]
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

// unnamedColumns names the columns after the first ones, up to the last.
func unnamedColumns(after, last int) string {
	if last == after+1 {
		return fmt.Sprintf("column %d", last)
	}
	return fmt.Sprintf("columns %d to %d", after+1, last)
}
