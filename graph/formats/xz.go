// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bufio"
	"bytes"
	"io"

	"github.com/ulikunitz/xz"
)

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
