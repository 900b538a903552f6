// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"g500/internal/lists"
)

// format is a format of graphs.
type format struct {
	name       string // of the parameter format
	title      string
	extensions []string       // of file names; the program writes files with the first one
	marks      string         // characters that begin a comment
	counted    bool           // lines that are not comments are numbered, blank ones too
	banner     *regexp.Regexp // of the first bytes that declare the format; nil if none do
	header     func(h *header) error
	line       func(h *header, b *block, into *chunk)   // parses a line; its error is in b.err
	check      func(h *header, rows int, l *list) error // of the complete list; nil for none
	limits     func(g *Graph) error                     // refuses graphs that write cannot store; nil for none
	write      func(w *lineWriter, comment string, g *Graph) error
}

// The banners; of edge lists, comments of KONECT and SNAP.
var (
	mtxBanner  = regexp.MustCompile(`(?i)^%%matrixmarket `)
	grBanner   = regexp.MustCompile(`(?s)^(?:c.*\n)?p sp `)
	snapBanner = regexp.MustCompile(konectKind.String() + `|(?s)^#(?:.*#)? Nodes: `)
)

// formats returns the table of formats.
func formats() []format {
	return []format{
		{"mtx", "Matrix Market", []string{".mtx", ".mm"}, "%", false, mtxBanner, mtxHeader, mtxLine, mtxCheck, nil, writeMtx},
		{"gr", "DIMACS", []string{".gr"}, "c", false, grBanner, grHeader, grLine, nil, integerWeights, writeGr},
		{"metis", "METIS", []string{".graph", ".metis"}, "%", true,
			nil, metisHeader, metisLine, metisCheck, metisLimits, writeMetis},
		{"snap", "edge list", []string{".txt", ".el", ".wel", ".edges", ".e", ".tsv", ".csv"}, commentsOfSNAP, false,
			snapBanner, snapHeader, snapLine, snapCheck, nil, writeSNAP},
	}
}

// formatNames returns the names of all formats.
func formatNames() []string { return lists.Of(formats(), func(f format) string { return f.name }) }

// Endings names the extensions of files with their formats, for a message: those that are read or, if written, the
// ones that are written.
func Endings(written bool) string {
	var all []string
	for _, f := range formats() {
		extensions := strings.Join(f.extensions, ", ")
		if written {
			extensions = f.extensions[0]
		}
		all = append(all, fmt.Sprintf("%s (%s)", extensions, f.title))
	}
	return strings.Join(all, ", ")
}

// extensionOf returns the extension of a file's name in lower case, without the extension of a compression.
func extensionOf(path string) string {
	name := strings.ToLower(filepath.Base(unpackedName(path)))
	end := filepath.Ext(name)
	if strings.HasPrefix(name, "out.") && FormatOf("x"+end) == "" { // as KONECT names its files
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
	return filepath.Ext(extension) == extension && FormatOf("x"+extension) != ""
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

// FormatOf returns the name of the format of a file by the file's name, "" if that is of no format.
func FormatOf(path string) string {
	f, _ := named(path, auto)
	return f.name
}

// format returns the format of the text: by the user's choice, else by the banner in the first bytes, else by the
// file's name.
func (t *text) format(name string) (format, error) {
	f, known := named(t.path, name)
	guessed := name == auto
	if banner, certain := byBanner(t.head); certain && guessed {
		f, known, guessed = banner, true, false
	}
	if err := cmp.Or(foreign(t.path, t.head, guessed), t.plain()); err != nil {
		return f, err
	}
	if !known {
		return f, fmt.Errorf("the format of %s is unknown: let its name end with one of %s, also compressed, or give "+
			"format=%s", t.path, Endings(false), strings.Join(formatNames(), " or "))
	}
	return f, nil
}

// byBanner returns the format that the first bytes declare.
func byBanner(head []byte) (found format, certain bool) {
	for _, f := range formats() {
		if f.banner != nil && f.banner.Match(head) {
			return f, true
		}
	}
	return format{}, false
}

// foreignFormat is a format of files that the program does not read. A file has it by its extension or its first bytes.
type foreignFormat struct {
	name       string // completes the sentence "the file is"
	extensions []string
	begins     []string // of text in lower case, without blanks before it
	binary     bool     // no file that begins so has another format, so format= does not help
	cure       string   // "" for the common one
}

// foreignFormats returns the table of formats that the program names and does not read.
func foreignFormats() []foreignFormat {
	const numpy = `save an edge list by numpy.savetxt("NAME.txt", edges, fmt="%d"), or a sparse matrix by ` +
		`scipy.io.mmwrite("NAME.mtx", matrix)`
	const frame = `write its columns as text, as by pandas: table.to_csv("NAME.csv", index=False)`
	const mmwrite = "write the matrix as Matrix Market (.mtx), as by mmwrite"
	const page = "HTML, perhaps a page instead of the file"
	return []foreignFormat{
		{name: "a pointer of Git LFS instead of the file", begins: []string{"version https://git-lfs"}, binary: true,
			cure: "fetch the file, as by git lfs pull"},
		{name: "a table in Parquet format", extensions: []string{".parquet"}, begins: []string{"PAR1"}, binary: true,
			cure: frame},
		{name: "a table in Arrow format", extensions: []string{".arrow", ".feather"}, begins: []string{"ARROW1"},
			binary: true, cure: frame},
		{name: "a spreadsheet", extensions: []string{".xlsx", ".xls", ".ods"}, cure: "save it as CSV"},
		{name: "a data file of R", extensions: []string{".rdata", ".rda", ".rds"},
			begins: []string{"RDX2\n", "RDX3\n", "RDA2\n", "RDA3\n"}, binary: true,
			cure: `write the edges as text, as by write.csv(edges, "NAME.csv", row.names = FALSE)`},
		{name: "a pickle of Python", extensions: []string{".pkl", ".pickle", ".gpickle"},
			begins: []string{"\x80\x02", "\x80\x03", "\x80\x04", "\x80\x05"}, binary: true,
			cure: `write the edges as text, as by networkx.write_edgelist(G, "NAME.txt", data=False)`},
		{name: "an array of NumPy", extensions: []string{".npy", ".npz"}, begins: []string{"\x93NUMPY"}, binary: true,
			cure: numpy},
		{name: "a file of MATLAB", extensions: []string{".mat"}, begins: []string{"MATLAB"}, binary: true, cure: mmwrite},
		{name: "in HDF5 format", extensions: []string{".h5", ".hdf5"}, begins: []string{"\x89HDF"}, binary: true,
			cure: mmwrite},
		{name: "a database of SQLite", extensions: []string{".sqlite"}, begins: []string{"SQLite format 3"},
			binary: true, cure: "write the edges as CSV, as by sqlite3 -csv"},
		{name: "a document in PDF", extensions: []string{".pdf"}, begins: []string{"%PDF-"}, binary: true},
		{name: "a zip archive without files", begins: []string{"PK\x05\x06"}, binary: true, cure: "copy it again"},
		{name: "a serialized graph of GAP", extensions: []string{".sg", ".wsg"},
			cure: "write it as an edge list, as by GAP's converter -f NAME.sg -e NAME.el, or -f NAME.wsg -w -e NAME.wel"},
		{name: "in Ligra's format", extensions: []string{".adj"},
			begins: []string{"adjacencygraph", "weightedadjacencygraph"}},
		{name: "in Rutherford-Boeing format", extensions: []string{".rb", ".hb", ".rua", ".rsa", ".pua", ".psa"}},
		{name: "in the DIMACS colouring format", extensions: []string{".col"}},
		{name: "a list of vertices, as LDBC has next to the list of edges (.e)", extensions: []string{".v"}},
		{name: "a list of coordinates, as the ninth DIMACS challenge has next to the graph (.gr)",
			extensions: []string{".co"}},
		{name: "in the DOT language of Graphviz", extensions: []string{".dot", ".gv"}},
		{name: "a hypergraph", extensions: []string{".hgr"}},
		{name: "XML, such as GraphML or GEXF", begins: []string{"<?xml"}},
		{name: "GraphML", begins: []string{"<graphml"}},
		{name: page, begins: []string{"<!doctype html", "<html"}},
		{name: "GML", begins: []string{"graph [", "graph\n[", "creator "}},
		{name: "in Pajek's format", begins: []string{"*vertices", "*network"}},
		{name: "JSON", begins: []string{"{", "["}},
	}
}

// foreign returns an error that names the format of a file that the program does not read, nil for other files. Unless
// the format is a guess, only binary files and pointers are refused.
func foreign(path string, head []byte, guess bool) error {
	text := strings.ToLower(string(bytes.TrimLeft(head, " \t\r\n")))
	for _, f := range foreignFormats() {
		begins := slices.ContainsFunc(f.begins, func(b string) bool {
			return f.binary && bytes.HasPrefix(head, []byte(b)) || !f.binary && guess && strings.HasPrefix(text, b)
		})
		if begins || guess && slices.Contains(f.extensions, extensionOf(path)) {
			return fmt.Errorf("%s is %s, which the program does not read: %s", path, f.name,
				cmp.Or(f.cure, "convert it to Matrix Market (.mtx) or an edge list (.txt)"))
		}
	}
	return nil
}
