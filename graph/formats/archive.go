// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"g500/internal/infile"
)

// member is a file in an archive.
type member struct {
	name   string
	length int64 // in bytes
	in     *bufio.Reader
}

// archive is a sequence of files, which is read once and forward: the first file that may be a graph is the graph. If
// another one that may be follows, the archive is refused, unless the user has named the member. Of files with the same
// name, the first one counts. A member may be an archive itself: the user then names OUTER/INNER.
type archive struct {
	*text
	own    string                 // the archive's path; that of the text gets the member's name
	wanted string                 // the name that the user gave in this archive, or auto
	next   func() (member, error) // io.EOF after the last one
	rest   io.Reader              // the rest of the file, which is read so that its checksum is complete
	chosen member
	others []string         // names of the members that are not the graph
	graphs []string         // those that may be graphs, first the chosen one
	doubts []string         // those with the name of a graph that are read only if there is no other
	ldbc   map[string]*ldbc // by the name of the list of edges, without .e
	end    error            // of reading, nil before it
}

// refusal is an error that says all: about the archive, its damage or the memory, not about the chosen member's text.
type refusal struct{ error }

// only is the error of an archive that must be opened again with this member.
type only string

func (o only) Error() string { return "the graph may be " + string(o) }

// open moves to the graph's member, and returns its content.
func (a *archive) open() (io.Reader, error) {
	a.archive, a.ldbc = a, map[string]*ldbc{}
	for {
		m, err := a.next()
		if err == io.EOF {
			return nil, a.unclear()
		}
		if err != nil {
			return nil, err
		}
		if a.see(m); len(a.graphs) > 0 {
			a.chosen, a.member = m, a.wantedIn(m)
			a.path += "/" + infile.Clean(m.name)
			a.length = m.length
			return a, nil
		}
	}
}

// see keeps the name of a member, or its content if it belongs to the graph.
func (a *archive) see(m member) {
	switch {
	case len(a.graphs) > 0 && m.name == a.chosen.name:
		a.note("%s is more than once in its archive: the first one was read", a.path)
	case a.isGraph(m):
		a.graphs = append(a.graphs, m.name)
	case isHidden(m.name):
	case a.readLDBC(m):
	case a.wanted == auto && isNamedGraph(m.name):
		a.doubts = append(a.doubts, m.name)
	default:
		a.others = append(a.others, m.name)
	}
}

// Read reads the content of the chosen member. At its end it inspects the rest of the archive.
func (a *archive) Read(p []byte) (int, error) {
	n, err := a.chosen.in.Read(p)
	if err == io.EOF && n == 0 {
		if a.end == nil {
			a.end = a.finish()
		}
		return 0, a.end
	}
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// finish returns io.EOF, or an error if another member may be the graph too. It notes the choice of a member.
func (a *archive) finish() error {
	for {
		m, err := a.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		a.see(m)
	}
	a.others = append(a.others, a.doubts...)
	if len(a.graphs) > 1 {
		return a.unclear()
	}
	if _, err := io.Copy(io.Discard, a.rest); err != nil {
		return err
	}
	const most = 5
	if a.isGuess() && len(a.others) > 0 {
		a.note("the graph of %s is its file %s, not %s: member= selects another one", a.own, infile.Clean(a.chosen.name),
			listed(a.others, "", most))
	}
	return io.EOF
}

// unclear returns the error of an archive whose graph is unknown.
func (a *archive) unclear() error {
	outer := strings.TrimPrefix(a.own+"/", a.source+"/") // names of the archives that contain this one
	found := "several files that may be the graph"
	if a.graphs == nil {
		if len(a.doubts) == 1 && !a.file.Pipe {
			return only(outer + a.doubts[0])
		}
		a.others, found = append(a.others, a.doubts...), "no file that is certainly a graph"
	}
	all := slices.Concat(a.graphs, a.others)
	if len(all) == 0 {
		return refusal{fmt.Errorf("%s is an archive without files: copy it again", a.own)}
	}
	if err := foreignContent(a.own, all); err != nil && a.wanted == auto {
		return err
	}
	if a.wanted != auto {
		found = fmt.Sprintf("no file %q", a.wanted)
	}
	const most = 20
	return refusal{fmt.Errorf("%s is an archive with %s: name the graph by member=, one of %s", a.own, found,
		listed(all, outer, most))}
}

// foreignContent returns an error if the name of an archive, as .npz or .xlsx, or of each member is of a format that
// the program does not read.
func foreignContent(own string, members []string) error {
	err := foreign(own, nil, true)
	for _, name := range members {
		if err == nil && foreign(name, nil, true) == nil {
			return nil
		}
	}
	return refusal{cmp.Or(err, foreign(own+"/"+members[0], nil, true))}
}

// isGuess reports whether the program has chosen the member.
func (a *archive) isGuess() bool { return a.guessed || a.wanted == auto }

// listed returns the first names of members for a message, each after a prefix.
func listed(names []string, prefix string, most int) string {
	all := prefix + strings.Join(names[:min(len(names), most)], ", "+prefix)
	if more := len(names) - most; more > 0 {
		all += fmt.Sprintf(" and %d more", more)
	}
	return infile.Clean(all)
}

// otherMembers adds to an error about the text of a member that the program has chosen the names of those before it.
func (t *text) otherMembers(err error) error {
	a := t.archive
	if err == nil || a == nil || !a.isGuess() || errors.As(err, new(refusal)) || t.ctx.Err() != nil {
		return err
	}
	const few = 10
	if a.others = slices.Concat(a.others, a.doubts); len(a.others) > 0 {
		err = fmt.Errorf("%w; the archive also has %s: member= selects another file", err, listed(a.others, "", few))
	}
	return err
}

// isGraph reports whether a member is the graph that the user named or, without a name, whether it may be one: by its
// name and first lines.
func (a *archive) isGraph(m member) bool {
	if a.wanted != auto {
		return m.name == a.wanted || a.wantedIn(m) != auto
	}
	head, _ := m.in.Peek(headBytes)
	return !isHidden(m.name) && !isCompanion(m.name) && !isAuxiliary(m.name) &&
		(byBanner(head) != nil || isNamedGraph(m.name) && (FormatOf(m.name) != "snap" || mayBeEdges(head)))
}

// wantedIn returns the name that the user gave in a member that is packed itself, or auto.
func (a *archive) wantedIn(m member) string {
	name, inside := strings.CutPrefix(a.wanted, m.name+"/")
	head, _ := m.in.Peek(headBytes)
	if !inside || packingOf(head) == nil {
		return auto
	}
	return name
}

// openTar opens a tar archive.
func openTar(t *text, packed *bufio.Reader) (io.Reader, error) {
	files := tar.NewReader(packed)
	a := &archive{text: t, own: t.path, wanted: t.member, rest: packed}
	a.next = func() (member, error) {
		for {
			h, err := files.Next()
			if err != nil {
				return member{}, err
			}
			if h.Typeflag == tar.TypeReg {
				return member{path.Clean(h.Name), h.Size, bufio.NewReaderSize(files, headBytes)}, nil
			}
		}
	}
	return a.open()
}

// openZip opens a zip archive. Its directory is at its end, so it must be a regular file.
func openZip(t *text, packed *bufio.Reader) (io.Reader, error) {
	if t.packed > 1 || t.file.Pipe {
		return nil, refusal{fmt.Errorf("%s is a zip archive in a pipe or in another file, and its directory is at its end: "+
			"save it to a file, or unpack it first, as by unzip -p", t.path)}
	}
	files, err := zip.NewReader(t.file, t.file.Size)
	if err != nil {
		return nil, err
	}
	files.RegisterDecompressor(zip.Deflate, flate.NewReader)
	files.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor())
	left := slices.DeleteFunc(files.File, func(f *zip.File) bool { return !f.Mode().IsRegular() })
	a := &archive{text: t, own: t.path, wanted: t.member, rest: t.file}
	a.next = func() (member, error) {
		if len(left) == 0 {
			return member{}, io.EOF
		}
		f := left[0]
		left = left[1:]
		in, err := f.Open()
		const encrypted = 1
		if errors.Is(err, zip.ErrAlgorithm) || f.Flags&encrypted != 0 {
			return member{}, refusal{fmt.Errorf("%s has %s with an encryption or a compression that the program does not "+
				"read: unpack it first, as by 7z x", a.own, infile.Clean(f.Name))}
		}
		if err != nil {
			return member{}, err
		}
		t.closers = append(t.closers, func() { _ = in.Close() })
		name := strings.ReplaceAll(f.Name, `\`, "/") // as programs on Windows wrote it
		return member{path.Clean(name), int64(f.UncompressedSize64), bufio.NewReaderSize(in, headBytes)}, nil
	}
	return a.open()
}

// isHidden reports whether a member is hidden, as the ._NAME files of macOS.
func isHidden(name string) bool { return strings.HasPrefix(path.Base(name), ".") }

// companions are names of files that archives have in addition to a graph: texts about it, properties of its vertices,
// and the folders with splits and maps in archives of the Open Graph Benchmark.
var companions = regexp.MustCompile(`(?i)\.md$|(^|/)(split|mapping)/` +
	`|(^|/)(readme|licen[cs]e|copying|release|changelog|citation|num-|node[s_-])[^/]*$` +
	`|(^|[^a-z])(labels?|labelidx|feat|features?|attr|attributes?|indicators?|cmty)([^a-z][^/]*)?$`)

// isCompanion reports whether a member is a companion of a graph, by its name.
func isCompanion(name string) bool { return companions.MatchString(unpackedName(name)) }

// isNamedGraph reports whether a member is a graph by its name.
func isNamedGraph(name string) bool { return FormatOf(name) != "" && !isCompanion(name) }

// isAuxiliary reports whether a member is named FOLDER/FOLDER_NAME.mtx: the SuiteSparse collection has such files, as
// right-hand sides, next to the graph FOLDER/FOLDER.mtx.
func isAuxiliary(name string) bool {
	folder := path.Base(path.Dir(name))
	return extensionOf(name) == ".mtx" && strings.HasPrefix(path.Base(name), folder+"_")
}

// mayBeEdges reports whether a text that begins with head may be an edge list: its first line is a comment without an
// end, names of columns, or numbers in at least two columns. A compressed one may always be.
func mayBeEdges(head []byte) bool {
	if packingOf(head) != nil {
		return true
	}
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	for line := range bytes.Lines(head) {
		f := fields{text: line}
		if isComment(line, commentsOfSNAP) || f.blank() {
			continue
		}
		words := f.all(separatorOf(line))
		return namesOf(words) != nil || len(words) > 1 && isNumber(words[0]) && isNumber(words[1])
	}
	return len(head) == headBytes
}
