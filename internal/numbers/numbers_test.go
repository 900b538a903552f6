// SPDX-License-Identifier: Apache-2.0

package numbers

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"g500/internal/expect"
)

// raw returns numbers in binary.
func raw(order binary.ByteOrder, numbers any) string {
	var b bytes.Buffer
	if err := binary.Write(&b, order, numbers); err != nil {
		panic(err)
	}
	return b.String()
}

// npy returns a NumPy array, as numpy.save writes it.
func npy(version byte, descr, shape, data string) string {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", descr, shape)
	size := string(raw(binary.LittleEndian, uint16(len(header))))
	if version > 1 {
		size += "\x00\x00"
	}
	return magic + string([]byte{version, 0}) + size + header + data
}

// all reads a file of a graph with eight vertices, whose highest label with an edge is 4.
func all[T Number](t *testing.T, format, text string) (got [8]T, err error) {
	t.Helper()
	for i := range got {
		got[i] = -7
	}
	from := Source{expect.File(t, "f", text), "tree", format, 5, 8, "the graph has 8 vertices"}
	err = Each(from, func(v int64, x T) error {
		got[v] = x
		return nil
	})
	return got, err
}

var (
	little, big = binary.LittleEndian, binary.BigEndian
	parents     = []int64{0, 0, 1, -1, 2, 6, 7, 7}
	narrow      = []int32{0, 0, 1, -1, 2, 6, 7, 7}
	unsigned    = []uint32{0, 0, 1, math.MaxUint32, 2, 6, 7, 7}
	distances   = []float32{0, 0.5, 1.5, -1, 2, 3, 3, float32(math.Inf(1))}
	wide        = []float64{0, 0.5, 1.5, -1, 2, 3, 3, math.Inf(1)}
)

func TestEveryFormatOfLabels(t *testing.T) {
	for meaning, text := range map[string]string{
		"64 bits": raw(little, parents), "32 bits": raw(little, narrow), "32 bits, unsigned": raw(little, unsigned),
		"npy":             npy(1, "<i8", "8,", raw(little, parents)),
		"npy big-endian":  npy(1, ">i4", "8,", raw(big, narrow)),
		"npy unsigned":    npy(2, "<u4", "8, 1", raw(little, unsigned)),
		"npy of a row":    npy(3, "<u8", "1, 8", raw(little, parents)),
		"text":            "# parents\n0\n0\n1\r\n-1\n\n 2 \n6\n7\n7\n",
		"pairs":           "% vertex parent\n7 7\n0,0\n1;0\n2\t1\n3 -1\n4 , 2\n5 6\n6 7\n",
		"without the end": "0\n0\n1\n-1\n2\n6\n7\n7",
	} {
		expect.Equal(t, expect.Value(all[int64](t, Auto, text))(t), [8]int64(parents), meaning)
	}
}

func TestEveryFormatOfDistances(t *testing.T) {
	for meaning, text := range map[string]string{
		"32 bits": raw(little, distances), "64 bits": raw(little, wide),
		"npy": npy(1, "<f4", "8,", raw(little, distances)), "npy of 64 bits": npy(1, ">f8", "8,", raw(big, wide)),
		"text":  "0\n.5\n1.5\n-1\n2e0\n3\n3\ninf\n",
		"pairs": "0 0\n1 0.5\n2 1.5\n3 -1\n4 2\n5 3\n6 3\n7 1e99\n",
	} {
		expect.Equal(t, expect.Value(all[float32](t, Auto, text))(t), [8]float32(distances), meaning)
	}
}

// A file may end at the highest label with an edge or later; with two columns, it may have any vertices.
func TestVerticesAfterTheEnd(t *testing.T) {
	for _, text := range []string{raw(little, parents[:5]), "0\n0\n1\n-1\n2\n", "4 2\n0 0\n2 1\n3 -1\n1 0",
		npy(1, "|i8", "5,", raw(little, parents[:5]))} {
		expect.Equal(t, expect.Value(all[int64](t, Auto, text))(t), [8]int64{0, 0, 1, -1, 2, -7, -7, -7})
	}
}

// Each wrong file brings one sentence that names the fault and the cure.
func TestWrongFiles(t *testing.T) {
	for want, text := range map[string]string{
		"has 4 numbers, but the graph has 8 vertices: the file is truncated": "0\n0\n1\n-1\n",
		"has 9 numbers, but":              "0\n0\n1\n-1\n2\n2\n2\n2\n2\n",
		"has 9 numbers, but the":          npy(1, "<i8", "9,", raw(little, parents)),
		"is cut off after 4 of 8 numbers": npy(1, "<i8", "8,", raw(little, parents[:4])),
		"has 72 bytes, but the graph has 8 vertices, which take from 40 to 64": raw(little, append(parents[:8:8], 1)),
		"is compressed by gzip: unpack it":                                     gzip + raw(little, parents),
		"has 35 bytes":                                                         raw(little, parents)[:35],
		"has 32 bytes":                                                         raw(little, parents[:4]), // not 8 of 32 bits
		"is big-endian: number 2 is 72057594037927936, and 1 with":             raw(big, parents),
		"is big-endian: number 2 is 16777216, and 1 with":                      raw(big, narrow),
		"f:2: \"x\" is no whole number":                                        "0\nx\n1\n1\n1\n",
		"\"0.5\" is no whole number":                                           "0.5\n0\n0\n0\n0\n",
		"\"vertex\" is no whole number":                                        "vertex,parent\n0,0\n",
		"f:3: vertex 1 has a second number":                                    "0 0\n1 0\n1 0\n",
		"8 is no vertex: they are below 8":                                     "8 0\n",
		"\"\" is no whole number":                                              "0 0\n1\n",
		"has the type f8: save it as .astype(\"int64\")":                       npy(1, "<f8", "8,", raw(little, wide)),
		"has the type i2":                                                      npy(1, "<i2", "8,", ""),
		"has the shape (4, 2): save one number per vertex":                     npy(1, "<i8", "4, 2", raw(little, parents)),
		"is no array of numbers of one type":                                   npy(1, "[('a', '<i8')]", "8,", ""),
		"f:2: cannot read the line: bufio.Scanner: token too long; write a number per line": "0\n" +
			strings.Repeat("0 ", 1<<16),
		"its header is cut off": npy(1, "<i8", "8,", "")[:40],
	} {
		_, err := all[int64](t, Auto, text)
		expect.Error(t, err, want)
	}
	for want, text := range map[string]string{
		"is big-endian: number 1 is 8.8e-44, and 0.5 with": raw(big, distances),
		"has the type i8: save it as .astype(\"float32\")": npy(1, "<i8", "8,", raw(little, parents)),
		"\"x\" is no number": "x\n",
	} {
		_, err := all[float32](t, Auto, text)
		expect.Error(t, err, want)
	}
}

// A format that the caller names is not recognised: a file of both lengths has the named one.
func TestNamedFormats(t *testing.T) {
	for format, text := range map[string]string{
		Bits32: raw(little, []int32{0, 0, 1, 0, 2, 0, 1, 0}), Bits64: raw(little, []int64{0, 0, 1, 0, 2, 0, 1, 0}),
		Text: "0\n0\n1\n0\n2\n0\n1\n0\n", NumPy: npy(1, "<i8", "8,", raw(little, []int64{0, 0, 1, 0, 2, 0, 1, 0})),
	} {
		for _, named := range Formats()[1:] {
			got, err := all[int64](t, named, text)
			right := err == nil && got == [8]int64{0, 0, 1, 0, 2, 0, 1, 0}
			expect.That(t, right == (named == format), "%s read as %s: %v, %v", format, named, got, err)
		}
	}
}
