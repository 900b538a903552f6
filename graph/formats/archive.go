package formats

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
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
//
// Auxiliary files of the SuiteSparse collection, such as NAME/NAME_b.mtx next to NAME/NAME.mtx, are not the graph.
type archive struct {
	*text
	own    string                 // the archive's path; that of the text gets the member's name
	wanted string                 // the name that the user gave in this archive, or auto
	next   func() (member, error) // io.EOF after the last one
	rest   io.Reader              // the rest of the file, which is read so that its checksum is complete
	chosen member
	others []string // names of the members that are not read
	graphs []string // those that may be graphs
}

// refusal is an error about the content of an archive, which is not damaged.
type refusal struct{ error }

// open moves to the graph's member, and returns its content.
func (a *archive) open() (io.Reader, error) {
	for {
		m, err := a.next()
		if err == io.EOF {
			return nil, a.unclear("no file that is certainly a graph")
		}
		if err != nil {
			return nil, err
		}
		if a.isGraph(m) {
			a.chosen, a.member = m, a.wantedIn(m)
			a.path += "/" + printable(m.name)
			a.length = m.length
			return a, nil
		}
		a.others = append(a.others, m.name)
	}
}

// Read reads the content of the chosen member. At its end it inspects the rest of the archive.
func (a *archive) Read(p []byte) (int, error) {
	n, err := a.chosen.in.Read(p)
	if err == io.EOF && n == 0 {
		return 0, a.finish()
	}
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// finish returns io.EOF, or an error if another member may be the graph too.
func (a *archive) finish() error {
	for {
		m, err := a.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch {
		case m.name == a.chosen.name:
			a.note("%s is more than once in its archive: the first one was read", a.path)
		case a.wanted == auto && a.isGraph(m):
			a.graphs = append(a.graphs, m.name)
		}
	}
	if len(a.graphs) > 0 {
		a.others = append([]string{a.chosen.name}, a.graphs...)
		return a.unclear("several files that may be the graph")
	}
	if _, err := io.Copy(io.Discard, a.rest); err != nil {
		return err
	}
	return io.EOF
}

// unclear returns the error of an archive whose graph is unknown.
func (a *archive) unclear(found string) error {
	if a.wanted != auto {
		found = fmt.Sprintf("no file %q", a.wanted)
	}
	const most = 20
	outer := strings.TrimPrefix(a.own+"/", a.source+"/") // names of the archives that contain this one
	names := outer + strings.Join(a.others[:min(len(a.others), most)], ", "+outer)
	if more := len(a.others) - most; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return refusal{fmt.Errorf("%s is an archive with %s: name the graph by member=, one of %s", a.own, found,
		printable(names))}
}

// isGraph reports whether a member is the graph that the user named or, without a name, whether it may be one: by its
// name or by its first line.
func (a *archive) isGraph(m member) bool {
	folder, base := path.Base(path.Dir(m.name)), path.Base(m.name)
	switch {
	case a.wanted != auto:
		return m.name == a.wanted || a.wantedIn(m) != auto
	case strings.HasPrefix(base, "."), strings.HasPrefix(base, folder+"_"):
		return false
	}
	if _, known := named(m.name, auto); known {
		return true
	}
	head, _ := m.in.Peek(headBytes)
	_, certain := byBanner(head)
	return certain
}

// wantedIn returns the name that the user gave in a member that is packed itself, or auto.
func (a *archive) wantedIn(m member) string {
	name, inside := strings.CutPrefix(a.wanted, m.name+"/")
	head, _ := m.in.Peek(headBytes)
	if _, packed := packingOf(head); !inside || !packed {
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
		if errors.Is(err, zip.ErrAlgorithm) {
			return member{}, refusal{fmt.Errorf("%s has %s in a compression that the program does not read: unpack it "+
				"first, as by 7z x", a.own, printable(f.Name))}
		}
		if err != nil {
			return member{}, err
		}
		t.closers = append(t.closers, func() { _ = in.Close() })
		return member{path.Clean(f.Name), int64(f.UncompressedSize64), bufio.NewReaderSize(in, headBytes)}, nil
	}
	return a.open()
}
