package repolint

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
)

const tableFile = "docs/ARCHITECTURE.md"

// importTable and includeTable are the names of the tables of Go imports and of C includes. A table is between the
// marks <!-- name --> and <!-- /name -->, which Markdown does not show. Each row names a room and, separated by commas,
// the rooms that it may import, or "nothing".
const (
	importTable  = "imports"
	includeTable = "includes"
)

// importFaults holds the Go files to the import table, and the table to the rooms that there are.
func importFaults(tree fs.FS) (faults []string, err error) {
	text, err := fs.ReadFile(tree, tableFile)
	if err != nil {
		return nil, err
	}
	allowed, err := parseTable(string(text), importTable)
	if err != nil {
		return nil, err
	}
	files, err := goFiles(tree)
	if err != nil {
		return nil, err
	}
	rooms := map[string]bool{}
	for _, f := range files {
		if _, listed := allowed[f.room()]; !listed && !rooms[f.room()] {
			faults = append(faults, fmt.Sprintf("room %s is missing from the import table in %s", f.room(), tableFile))
		}
		rooms[f.room()] = true
		for _, room := range ourImports(f) {
			if may, listed := allowed[f.room()]; listed && !slices.Contains(may, room) {
				faults = append(faults,
					fmt.Sprintf("%s imports %s, which the table in %s does not allow", f.path, room, tableFile))
			}
		}
	}
	return append(faults, staleRows(allowed, rooms)...), nil
}

// staleRows finds what the table says about rooms that there are not.
func staleRows(allowed map[string][]string, rooms map[string]bool) (faults []string) {
	for _, room := range slices.Sorted(maps.Keys(allowed)) {
		if !rooms[room] {
			faults = append(faults, fmt.Sprintf("room %s in %s has no file", room, tableFile))
		}
		for _, other := range allowed[room] {
			if _, listed := allowed[other]; !listed {
				faults = append(faults,
					fmt.Sprintf("room %s may import %s says %s, which has no such room", room, other, tableFile))
			}
		}
	}
	return faults
}

// ourImports are the rooms that a file imports.
func ourImports(f goFile) (rooms []string) {
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if room, ours := strings.CutPrefix(path, module); err == nil && ours {
			rooms = append(rooms, room)
		}
	}
	return rooms
}

// parseTable returns for each room of a table the rooms that it may import.
func parseTable(text, name string) (map[string][]string, error) {
	_, rest, begins := strings.Cut(text, "<!-- "+name+" -->")
	rows, _, ends := strings.Cut(rest, "<!-- /"+name+" -->")
	if !begins || !ends {
		return nil, fmt.Errorf("%s has no table between <!-- %s --> and <!-- /%[2]s -->", tableFile, name)
	}
	allowed := map[string][]string{}
	var room string
	for i, row := range strings.Split(strings.TrimSpace(rows), "\n") {
		if i < 2 {
			continue // the heading and the rule below it
		}
		cells := strings.Split(strings.ReplaceAll(row, "`", ""), "|")
		if len(cells) != 4 {
			return nil, fmt.Errorf("%s: row %q must have two columns: room, may import", tableFile, row)
		}
		if cell := strings.TrimSpace(cells[1]); cell != "" { // else the row goes on with the room above
			if _, twice := allowed[cell]; twice {
				return nil, fmt.Errorf("%s: room %s has two rows", tableFile, cell)
			}
			room, allowed[cell] = cell, []string{}
		}
		for _, other := range strings.Split(cells[2], ",") {
			if other = strings.TrimSpace(other); other != "nothing" {
				allowed[room] = append(allowed[room], other)
			}
		}
	}
	if len(allowed) == 0 {
		return nil, fmt.Errorf("%s: the table of %s is empty", tableFile, name)
	}
	return allowed, nil
}
