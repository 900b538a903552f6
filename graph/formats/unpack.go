// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"g500/internal/lists"
)

// headBytes is the number of first bytes that are inspected before parsing.
const headBytes = 4 << 10

// packing is a compression or an archive. It is recognized by its first bytes, whatever the name of the file.
type packing struct {
	name      string // completes the sentence "the file is"
	extension string // of file names
	magic     string
	offset    int // of the magic bytes
	open      func(t *text, packed *bufio.Reader) (io.Reader, error)
	cure      string // the command that unpacks it, if open is nil
}

// packings returns the table of compressions and archives.
func packings() []packing {
	return []packing{
		{"compressed by gzip", ".gz", "\x1f\x8b", 0, openGzip, ""},
		{"compressed by bzip2", ".bz2", "BZh", 0, openBzip2, ""},
		{"compressed by xz", ".xz", "\xfd7zXZ\x00", 0, openXz, ""},
		{"compressed by zstd", ".zst", "\x28\xb5\x2f\xfd", 0, openZstd, ""},
		{"a zip archive", ".zip", "PK\x03\x04", 0, openZip, ""},
		{"a tar archive", ".tar", "ustar", 257, openTar, ""},
		{"a rar archive", ".rar", "Rar!\x1a\x07", 0, nil, "unrar p -inul"},
		{"a 7z archive", ".7z", "7z\xbc\xaf\x27\x1c", 0, nil, "7z x -so"},
		{"compressed by lz4", ".lz4", "\x04\x22\x4d\x18", 0, nil, "lz4 -dc"},
		{"compressed by lzma", ".lzma", "\x5d\x00\x00", 0, nil, "xz -dc"},
		{"compressed by lzip", ".lz", "LZIP", 0, nil, "lzip -dc"},
		{"compressed by compress", ".Z", "\x1f\x9d", 0, nil, "uncompress -c"},
	}
}

// packedEndings names the extensions of compressions and archives that are read, for help.
func packedEndings() string {
	opened := lists.Where(packings(), func(p packing) bool { return p.open != nil })
	return strings.Join(lists.Of(opened, func(p packing) string { return p.extension }), ", ")
}

// unpack opens compressions and archives, one in another, until plain content is left.
func (t *text) unpack(file io.Reader) error {
	t.in = bufio.NewReaderSize(file, readBytes)
	for depth := 0; ; depth++ {
		head, err := t.in.Peek(headBytes)
		if err != nil && err != io.EOF {
			return t.broken(err)
		}
		p := packingOf(head)
		if p == nil {
			return nil
		}
		const most = 4
		if depth == most {
			return fmt.Errorf("%s is packed more than %d times: unpack it once", t.path, most)
		}
		if p.open == nil {
			return fmt.Errorf("%s is %s, which the program does not read: unpack it first, as by %s FILE > NEWFILE",
				t.path, p.name, p.cure)
		}
		t.packed = depth + 1
		content, err := p.open(t, t.in)
		if err != nil {
			return t.broken(err)
		}
		t.in = bufio.NewReaderSize(content, readBytes)
	}
}

// packingOf returns the packing of a file with these first bytes, nil if it is not packed.
func packingOf(head []byte) *packing {
	return lists.Find(packings(), func(p packing) bool {
		return len(head) >= p.offset && bytes.HasPrefix(head[p.offset:], []byte(p.magic))
	})
}

// unpackedName returns a path without the extensions of compressions.
func unpackedName(path string) string {
	for _, p := range packings() {
		if end := len(path) - len(p.extension); end > 0 && strings.EqualFold(path[end:], p.extension) {
			return unpackedName(path[:end])
		}
	}
	return path
}

func openBzip2(t *text, packed *bufio.Reader) (io.Reader, error) { return bzip2.NewReader(packed), nil }

// openGzip sets the length of the text from the last four bytes of the file, which are the length modulo 2^32.
func openGzip(t *text, packed *bufio.Reader) (io.Reader, error) {
	if t.packed == 1 && t.length > 0 {
		var last [4]byte
		if _, err := t.file.ReadAt(last[:], max(t.length-4, 0)); err != nil {
			return nil, err
		}
		unpacked := int64(binary.LittleEndian.Uint32(last[:]))
		for unpacked+unpacked/8+1024 < t.length { // compression never makes a text longer by so much
			unpacked += 1 << 32
		}
		t.length = unpacked
	}
	return gzip.NewReader(packed)
}

// openZstd sets the length of the text if the header has it.
func openZstd(t *text, packed *bufio.Reader) (io.Reader, error) {
	head, _ := packed.Peek(zstd.HeaderMaxSize)
	const window = 128 << 20 // as zstd itself limits it by default
	var h zstd.Header
	if err := h.Decode(head); err == nil {
		if h.WindowSize > window {
			return nil, refusal{fmt.Errorf("%s is compressed by zstd with a window of %s, and the program takes at most %s: "+
				"unpack it first, as by zstd -dc --long=31 FILE > NEWFILE", t.path, rounded(int64(h.WindowSize)), rounded(window))}
		}
		t.memory += 2 * int64(h.WindowSize)
		if h.HasFCS {
			t.length = int64(h.FrameContentSize)
		}
	}
	in, err := zstd.NewReader(packed, zstd.WithDecoderMaxWindow(window))
	if err != nil {
		return nil, err
	}
	t.closers = append(t.closers, in.Close)
	return in, nil
}

// inspect skips a byte order mark and keeps the first bytes. It refuses an empty file.
func (t *text) inspect() error {
	if end := strings.ToLower(filepath.Ext(t.path)); t.packed == 0 && unpackedName(t.path) != t.path {
		t.note("%s is plain text, although its name ends with %s", t.path, end)
	}
	if head, _ := t.in.Peek(3); string(head) == "\xef\xbb\xbf" {
		if _, err := t.in.Discard(3); err != nil {
			return t.broken(err)
		}
	}
	head, err := t.in.Peek(headBytes)
	if err != nil && err != io.EOF {
		return t.broken(err)
	}
	if len(head) == 0 {
		return fmt.Errorf("%s is empty: it has no graph", t.path)
	}
	t.head = head[:len(head):len(head)]
	return nil
}

// plain refuses binary files.
func (t *text) plain() error {
	head := t.head
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return fmt.Errorf("%s is text in UTF-16: convert it, as by iconv -f UTF-16 -t UTF-8", t.path)
	case len(head) >= 8 && (string(head[:8]) == "\x01\x00\x00\x00\x00\x00\x00\x00" ||
		string(head[:8]) == "\x02\x00\x00\x00\x00\x00\x00\x00"):
		return fmt.Errorf("%s is not text but probably a binary Galois file: convert it to Matrix Market (.mtx)", t.path)
	case bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0:
		return fmt.Errorf("%s has lines that end with a carriage return only: convert it, as by tr '\\r' '\\n'", t.path)
	case bytes.IndexByte(head, 0) >= 0:
		return fmt.Errorf("%s is binary and not text: convert it to Matrix Market (.mtx)", t.path)
	}
	return nil
}

// xzReader decompresses xz. The library mistakes a file that is cut off at the header of a block for a complete one,
// so xzReader compares the last bytes with the mark at the end of a stream.
type xzReader struct {
	*xz.Reader
	from *tail
}

func openXz(t *text, packed *bufio.Reader) (io.Reader, error) {
	t.memory += 64 << 20 // the dictionary of xz -9
	from := &tail{Reader: packed}
	in, err := xz.NewReader(from)
	return xzReader{in, from}, err
}

func (x xzReader) Read(p []byte) (int, error) {
	n, err := x.Reader.Read(p)
	if err == io.EOF && string(x.from.last) != "YZ" {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// tail is a reader that keeps the last two bytes that it has read, without zeros after them.
type tail struct {
	io.Reader
	last []byte
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	read := bytes.TrimRight(p[:n], "\x00")
	t.last = append(t.last, read[max(len(read)-2, 0):]...)
	t.last = t.last[max(len(t.last)-2, 0):]
	return n, err
}
