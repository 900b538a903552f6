// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"cmp"
	_ "embed" // foreign.toml
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

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
	return strings.Join(lists.Of(formats(), func(f format) string {
		extensions := f.extensions
		if written {
			extensions = extensions[:1]
		}
		return fmt.Sprintf("%s (%s)", strings.Join(extensions, ", "), f.title)
	}), ", ")
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

// named returns the format with a name or, for auto, the one with the extension of the path; nil if there is none.
func named(path, name string) *format {
	return lists.Find(formats(), func(f format) bool {
		return name == f.name || name == auto && slices.Contains(f.extensions, extensionOf(path))
	})
}

// FormatOf returns the name of the format of a file by the file's name, "" if that is of no format.
func FormatOf(path string) string { return cmp.Or(named(path, auto), &format{}).name }

// format returns the format of the text: by the user's choice, else by the banner in the first bytes, else by the
// file's name.
func (t *text) format(name string) (f *format, err error) {
	guessed := name == auto
	if guessed {
		f = byBanner(t.head)
	}
	if f != nil {
		guessed = false
	} else {
		f = named(t.path, name)
	}
	if err := cmp.Or(foreign(t.path, t.head, guessed), t.plain()); err != nil {
		return f, err
	}
	if f == nil {
		return f, fmt.Errorf("the format of %s is unknown: let its name end with one of %s, also compressed, or give "+
			"format=%s", t.path, Endings(false), strings.Join(formatNames(), " or "))
	}
	return f, nil
}

// byBanner returns the format that the first bytes declare, nil if they declare none.
func byBanner(head []byte) *format {
	return lists.Find(formats(), func(f format) bool { return f.banner != nil && f.banner.Match(head) })
}

// foreignTable has the formats of files that the program names and does not read.
//
//go:embed foreign.toml
var foreignTable string

// foreignFormat is a row of foreignTable.
type foreignFormat struct {
	Name, Cure         string // an empty cure is the common one
	Extensions, Begins []string
	Binary             bool
}

// foreignFormats decodes foreignTable.
var foreignFormats = sync.OnceValue(func() []foreignFormat {
	var table struct{ Format []foreignFormat }
	if _, err := toml.Decode(foreignTable, &table); err != nil {
		panic(err) // the table is part of the program
	}
	return table.Format
})

// foreign returns an error that names the format of a file that the program does not read, nil for other files. Unless
// the format is a guess, only binary files and pointers are refused.
func foreign(path string, head []byte, guess bool) error {
	text := strings.ToLower(string(bytes.TrimLeft(head, " \t\r\n")))
	raw := string(lists.Of(head, func(b byte) rune { return rune(b) }))
	for _, f := range foreignFormats() {
		begins := slices.ContainsFunc(f.Begins, func(b string) bool {
			return f.Binary && strings.HasPrefix(raw, b) || !f.Binary && guess && strings.HasPrefix(text, b)
		})
		if begins || guess && slices.Contains(f.Extensions, extensionOf(path)) {
			return fmt.Errorf("%s is %s, which the program does not read: %s", path, f.Name,
				cmp.Or(f.Cure, "convert it to Matrix Market (.mtx) or an edge list (.txt)"))
		}
	}
	return nil
}
