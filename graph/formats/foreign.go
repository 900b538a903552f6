package formats

import (
	"bytes"
	"strings"
)

// foreign names the format of a file that the program does not read, by the end of its name or by its first bytes. It
// returns "" for none.
func foreign(path string, head []byte) string {
	switch extensionOf(path) {
	case ".rb", ".hb", ".rua", ".rsa", ".pua", ".psa":
		return "in Rutherford-Boeing format"
	case ".col":
		return "in the DIMACS colouring format"
	}
	text := strings.ToLower(string(bytes.TrimLeft(head, " \t\r\n")))
	for _, other := range []struct{ begin, name string }{
		{"<?xml", "XML, such as GraphML or GEXF"},
		{"<graphml", "GraphML"},
		{"graph [", "GML"}, {"graph\n[", "GML"}, {"creator ", "GML"},
		{"*vertices", "in Pajek's format"}, {"*network", "in Pajek's format"},
		{"adjacencygraph", "in Ligra's format"}, {"weightedadjacencygraph", "in Ligra's format"},
		{"{", "JSON"}, {"[", "JSON"},
	} {
		if strings.HasPrefix(text, other.begin) {
			return other.name
		}
	}
	return ""
}
