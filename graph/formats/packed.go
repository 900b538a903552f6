package formats

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"g500/internal/infile"
)

// headBytes is the number of first bytes that are inspected before parsing.
const headBytes = 4 << 10

// unpacked returns the text of a file, decompressed if its first bytes mark gzip or bzip2, whatever its name. It
// refuses other compressions and archives.
func (t *text) unpacked(file *infile.File) (io.Reader, error) {
	raw := bufio.NewReaderSize(file, blockBytes)
	head, err := raw.Peek(6)
	if err != nil && err != io.EOF {
		return nil, t.broken(err)
	}
	for _, other := range []struct{ magic, name, cure string }{
		{"\xfd7zXZ\x00", "compressed by xz", "xz -dc"},
		{"\x28\xb5\x2f\xfd", "compressed by zstd", "zstd -dc"},
		{"PK\x03\x04", "a zip archive", "unzip -p"},
		{"7z\xbc\xaf\x27\x1c", "a 7z archive", "7z x -so"},
	} {
		if bytes.HasPrefix(head, []byte(other.magic)) {
			return nil, fmt.Errorf("%s is %s, which the program does not read: unpack it first, as by %s", t.path, other.name,
				other.cure)
		}
	}
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		t.packing = "gzip"
		unpacked, err := gzip.NewReader(raw)
		if err != nil {
			return nil, t.broken(err)
		}
		return unpacked, nil
	case bytes.HasPrefix(head, []byte("BZh")):
		t.packing = "bzip2"
		return bzip2.NewReader(raw), nil
	}
	if end := strings.ToLower(filepath.Ext(t.path)); end == ".gz" || end == ".bz2" {
		t.note("%s is plain text, although its name ends with %s", t.path, end)
	}
	return raw, nil
}

// plain skips a byte order mark and refuses binary files.
func (t *text) plain() error {
	if head, _ := t.in.Peek(3); string(head) == "\xef\xbb\xbf" {
		if _, err := t.in.Discard(3); err != nil {
			return t.broken(err)
		}
	}
	head, err := t.in.Peek(headBytes)
	if err != nil && err != io.EOF {
		return t.broken(err)
	}
	const atTar = 257 // the offset of a tar archive's mark
	switch {
	case len(head) == 0:
		return fmt.Errorf("%s is empty: it has no graph", t.path)
	case len(head) > atTar && bytes.HasPrefix(head[atTar:], []byte("ustar")):
		return fmt.Errorf("%s is a tar archive: unpack it first and name the file in it", t.path)
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return fmt.Errorf("%s is text in UTF-16: convert it, as by iconv -f UTF-16 -t UTF-8", t.path)
	case len(head) >= 8 && (string(head[:8]) == "\x01\x00\x00\x00\x00\x00\x00\x00" ||
		string(head[:8]) == "\x02\x00\x00\x00\x00\x00\x00\x00"):
		return fmt.Errorf("%s is not text but probably a binary Galois file: convert it to Matrix Market (.mtx)", t.path)
	case bytes.IndexByte(head, 0) >= 0:
		return fmt.Errorf("%s is binary and not text: convert it to Matrix Market (.mtx)", t.path)
	}
	t.head = head[:len(head):len(head)]
	return nil
}
