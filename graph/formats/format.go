// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// format is a format of graphs.
type format struct {
	name       string // of the parameter format
	title      string
	extensions []string // of file names; the program writes files with the first one
	marks      string   // characters that begin a comment
	counted    bool     // lines that are not comments are numbered, blank ones too
	header     func(h *header) error
	line       func(h *header, b *block, into *chunk)   // parses a line; its error is in b.err
	check      func(h *header, rows int, l *list) error // of the complete list; nil for none
	write      func(w *writer, comment string, g *Graph) error
}

// formats returns the table of formats.
func formats() []format {
	return []format{
		{"mtx", "Matrix Market", []string{".mtx", ".mm"}, "%", false, mtxHeader, mtxLine, mtxCheck, writeMtx},
		{"gr", "DIMACS", []string{".gr"}, "c", false, grHeader, grLine, nil, writeGr},
		{"metis", "METIS", []string{".graph", ".metis"}, "%", true, metisHeader, metisLine, metisCheck, writeMetis},
		{"snap", "edge list", []string{".txt", ".el", ".wel", ".edges", ".e", ".tsv", ".csv"}, commentsOfSNAP, false,
			snapHeader, snapLine, snapCheck, writeSNAP},
	}
}

// formatNames returns the names of all formats.
func formatNames() (names []string) {
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// endings names the extensions of files with their formats, for a message: those that are read or, if written, the
// ones that are written.
func endings(written bool) string {
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
			"format=%s", t.path, endings(false), strings.Join(formatNames(), " or "))
	}
	return f, nil
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
	case bytes.HasPrefix(head, []byte("p sp ")),
		bytes.HasPrefix(head, []byte("c")) && bytes.Contains(head, []byte("\np sp ")):
		name = "gr"
	}
	return named("", name)
}
