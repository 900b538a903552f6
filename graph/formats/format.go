package formats

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// format is a text format of graphs.
type format struct {
	name       string
	extensions []string // of file names; the program writes files with the first one
	marks      string   // the characters that begin a comment
	counted    bool     // the number of lines that are no comments matters
	header     func(t *text, h *header) error
	body       func(h *header) func(b *block, into *part) error
	whole      func(h *header, rows int, l *list) error // checks the list when the file was read; nil for no check
}

var formats = []format{
	{"mtx", []string{".mtx", ".mm"}, "%", false, mtxHeader, mtxBody, mtxWhole},
	{"gr", []string{".gr"}, "c", false, grHeader, grBody, nil},
	{"metis", []string{".graph"}, "%", true, metisHeader, metisBody, metisWhole},
	{"snap", []string{".txt", ".el", ".wel", ".edges", ".e", ".tsv", ".csv"}, commentsOfSNAP, false, snapHeader, snapBody,
		snapWhole},
}

// extensionOf returns the end of a file's name in lower case, without the end that names a compression.
func extensionOf(path string) string {
	name := strings.ToLower(filepath.Base(path))
	for _, packed := range []string{".gz", ".bz2"} {
		name = strings.TrimSuffix(name, packed)
	}
	if strings.HasPrefix(name, "out.") { // as KONECT names its files
		return ".edges"
	}
	return filepath.Ext(name)
}

// named returns the format of the name that the user gives, or, for auto, of the file's name.
func named(path, name string) (format, bool) {
	for _, f := range formats {
		if name == f.name || name == "auto" && slices.Contains(f.extensions, extensionOf(path)) {
			return f, true
		}
	}
	return format{}, false
}

// formatOf returns the format of a file: the one that the user names, or the one whose banner the first bytes have,
// or the one of the file's name.
func formatOf(path, name string, head []byte) (format, error) {
	if name == "auto" {
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
		".txt (edge list), also compressed as .gz, or give format=mtx, gr, metis or snap", path)
}

// byBanner finds the format that the first lines name themselves.
func byBanner(head []byte) (f format, certain bool) {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	name := ""
	switch {
	case isBanner(first):
		name = "mtx"
	case readKonect(first).kind != "", bytes.HasPrefix(head, []byte("#")) && bytes.Contains(head, []byte("# Nodes: ")):
		name = "snap"
	case bytes.HasPrefix(head, []byte("p sp ")),
		bytes.HasPrefix(head, []byte("c")) && bytes.Contains(head, []byte("\np sp ")):
		name = "gr"
	}
	return named("", name)
}

// written returns the format in which a file of that name is written.
func written(path string) (format, error) {
	extension := strings.ToLower(filepath.Ext(strings.TrimSuffix(path, ".gz")))
	for _, f := range formats {
		if extension == f.extensions[0] {
			return f, nil
		}
	}
	return format{}, fmt.Errorf("the name of %s does not name a format: let it end with .mtx, .gr, .graph (METIS) or "+
		".txt (edge list), also compressed as .gz", path)
}
