package formats

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// format is a format of graphs.
type format struct {
	name       string
	extensions []string // of file names; the program writes files with the first one
	marks      string   // characters that begin a comment
	counted    bool     // lines that are not comments are numbered, blank ones too
	header     func(h *header) error
	line       func(h *header, b *block, into *chunk)   // parses a line; its error is in b.err
	check      func(h *header, rows int, l *list) error // of the complete list; nil for none
	binary     func(on task, h *header) (*list, error)  // reads a binary file, instead of header, line and check
}

// formats returns the table of formats.
func formats() []format {
	return []format{
		{"mtx", []string{".mtx", ".mm"}, "%", false, mtxHeader, mtxLine, mtxCheck, nil},
		{"gr", []string{".gr"}, "c", false, grHeader, grLine, nil, nil},
		{"metis", []string{".graph", ".metis"}, "%", true, metisHeader, metisLine, metisCheck, nil},
		{"snap", []string{".txt", ".el", ".wel", ".edges", ".e", ".tsv", ".csv"}, commentsOfSNAP, false, snapHeader,
			snapLine, snapCheck, nil},
		{"adj", []string{".adj"}, "", true, adjHeader, adjLine, adjCheck, nil},
		{name: "sg", extensions: []string{".sg"}, binary: readSerialized},
		{name: "wsg", extensions: []string{".wsg"}, binary: readSerializedWeights},
	}
}

// extensionOf returns the extension of a file's name in lower case, without the extension of a compression.
func extensionOf(path string) string {
	name := strings.ToLower(filepath.Base(unpackedName(path)))
	end := filepath.Ext(name)
	if strings.HasPrefix(name, "out.") && !isExtension(end) { // as KONECT names its files
		return ".edges"
	}
	return end
}

// ReadsExtension reports whether "file:" reads files with this extension, such as .mtx, .mtx.gz or .tar.gz.
func ReadsExtension(extension string) bool {
	for _, p := range packings() {
		if end := len(extension) - len(p.extension); end >= 0 && strings.EqualFold(extension[end:], p.extension) {
			return p.open != nil && (end == 0 || ReadsExtension(extension[:end]))
		}
	}
	return isExtension(strings.ToLower(extension))
}

// isExtension reports whether a format has this extension.
func isExtension(extension string) bool {
	return slices.ContainsFunc(formats(), func(f format) bool { return slices.Contains(f.extensions, extension) })
}

// named returns the format with a name or, for auto, the one with the extension of the path.
func named(path, name string) (format, bool) {
	for _, f := range formats() {
		if name == f.name || name == auto && slices.Contains(f.extensions, extensionOf(path)) {
			return f, true
		}
	}
	return format{}, false
}

// formatOf returns the format of a file: by the user's choice, else by the banner in the first bytes, else by the
// file's name.
func formatOf(path, name string, head []byte) (format, error) {
	if name == auto {
		if f, certain := byBanner(head); certain {
			return f, nil
		}
		if other := foreign(path, head); other != "" {
			return format{}, fmt.Errorf("%s is %s, which the program does not read: convert it to Matrix Market (.mtx), "+
				"DIMACS (.gr), METIS (.graph) or an edge list (.txt)", path, other)
		}
	}
	if f, known := named(path, name); known {
		return f, nil
	}
	return format{}, fmt.Errorf("the format of %s is unknown: let its name end with .mtx, .gr, .graph (METIS) or "+
		".txt (edge list), also compressed, or give format=mtx, gr, metis, snap, adj, sg or wsg", path)
}

// byBanner returns the format that the first lines declare.
func byBanner(head []byte) (f format, certain bool) {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	name := ""
	switch {
	case isBanner(first):
		name = "mtx"
	case readKonect(first).kind != "", bytes.HasPrefix(head, []byte("#")) && bytes.Contains(head, []byte("# Nodes: ")):
		name = "snap"
	case isAdjacency(first):
		name = "adj"
	case bytes.HasPrefix(head, []byte("p sp ")),
		bytes.HasPrefix(head, []byte("c")) && bytes.Contains(head, []byte("\np sp ")):
		name = "gr"
	}
	return named("", name)
}

// foreign names the format of a file that the program does not read, by its extension or first bytes; "" for none.
func foreign(path string, head []byte) string {
	switch extensionOf(path) {
	case ".rb", ".hb", ".rua", ".rsa", ".pua", ".psa":
		return "in Rutherford-Boeing format"
	case ".col":
		return "in the DIMACS colouring format"
	case ".v":
		return "a list of vertices, as LDBC has next to the list of edges (.e)"
	case ".co":
		return "a list of coordinates, as the ninth DIMACS challenge has next to the graph (.gr)"
	case ".dot", ".gv":
		return "in the DOT language of Graphviz"
	case ".hgr":
		return "a hypergraph"
	}
	text := strings.ToLower(string(bytes.TrimLeft(head, " \t\r\n")))
	for _, other := range []struct{ begin, name string }{
		{"<?xml", "XML, such as GraphML or GEXF"},
		{"<graphml", "GraphML"},
		{"<!doctype html", "HTML, perhaps a page instead of the file"}, {"<html", "HTML, perhaps a page instead of the file"},
		{"graph [", "GML"}, {"graph\n[", "GML"}, {"creator ", "GML"},
		{"*vertices", "in Pajek's format"}, {"*network", "in Pajek's format"},
		{"{", "JSON"}, {"[", "JSON"},
	} {
		if strings.HasPrefix(text, other.begin) {
			return other.name
		}
	}
	return ""
}
