package formats

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// plainCase is a header with plain lines, and the function that parses any line of its format.
type plainCase struct {
	line  func(*header, *block, *chunk)
	h     header
	marks string
}

func plainCases() []plainCase {
	const n = 1 << 20
	list := func(separator byte, more bool, columns []column) plainCase {
		weighted := len(columns) == 3
		p := &plainLine{separator: separator, labels: MaxVertices, weighted: weighted, more: more, further: 1}
		h := header{text: &text{}, separator: separator, columns: columns, weighted: weighted, more: more, plain: p}
		blank := string(max(separator, ' '))
		line := strings.Repeat("5"+blank, len(columns)-1) + "5"
		if more {
			line += blank + "5"
		}
		h.edge = &fields{text: []byte(line)}
		h.width = h.edge.width(separator)
		return plainCase{snapLine, h, commentsOfSNAP}
	}
	free := list(0, true, edgeColumns)
	free.h.free, free.h.plain.any = true, true
	return []plainCase{
		list(0, false, edgeColumns), list(',', false, edgeColumns), list(0, true, edgeColumns), list(',', true, edgeColumns),
		list(0, false, weightedColumns), list(',', true, weightedColumns), free,
		{mtxLine, header{vertices: n, plain: &plainLine{first: 1, labels: n}}, "%"},
		{mtxLine, header{vertices: n, weighted: true, plain: &plainLine{first: 1, labels: n, weighted: true}}, "%"},
		{grLine, header{vertices: n, weighted: true,
			plain: &plainLine{prefix: 'a', first: 1, labels: n, weighted: true}}, "c"},
	}
}

// The lines that plainLine accepts are the same edges by the function of their format, and are no comments.
func FuzzPlainLines(f *testing.F) {
	for _, line := range []string{
		"0 1\n", "17\t4294967294 \r\n", "4294967295 1\n", "12345678 1048576\n", "123456789 1\n", "1 2 3\n", "1,2\n",
		"3 , 4 ,x\n", "a 1 2 803\n", "1 2 0.5\n", "1 2 .5\n", "1 2 16777217\n", "1 2 167772.17\n", "1 2 1.\n",
		"1 2 1e3\n", "1 2 -1\n", "\n", "# 1 2\n", " 1 2\n", "1  2\n",
		"1234567890123456 1\n", "12345678901234567 1\n", "1 2 1.2345678\n",
		"1 2 12345678\n", "1 2 3 4\n", "1,2,\"a,b\"\n", "1,2,3,4\n",
		"1 2\r3\n",
		"0 0\n", "a\t1 1\t0.125\n", "1 2 123456.7 4\n",
	} {
		for i := range plainCases() {
			f.Add([]byte(line+"5 6\n"+line), byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, which byte) {
		c := plainCases()[int(which)%len(plainCases())]
		fast, slow := block{}, block{}
		var want chunk
		got := chunk{pairs: make([]pair, 0, len(data))}
		fast.rest = append(slices.Clone(data), strings.Repeat("x", notPlain+aheadBytes)...)
		c.h.plain.parse(&fast, &got)
		slow.rest = data[:min(len(data)+notPlain+aheadBytes-len(fast.rest), len(data))]
		for slow.nextLine() {
			if isComment(slow.text, c.marks) || slow.blank() || slow.text[len(slow.text)-1] != '\n' {
				t.Fatalf("%q was parsed as a plain line", slow.text)
			}
			if c.line(&c.h, &slow, &want); slow.err != nil {
				t.Fatalf("%q was parsed as a plain line: %v", slow.text, slow.err)
			}
		}
		if !slices.Equal(got.pairs, want.pairs) || !slices.Equal(got.weights, want.weights) ||
			fast.fields.number != slow.fields.number || fast.lost != slow.lost ||
			len(c.h.columns) > 0 && fast.tally != slow.tally {
			t.Errorf("%q: %v, %v, want %v, %v", data, got, fast.tally, want, slow.tally)
		}
	})
}

// Usual lines are plain: none is left to the function of the format.
func TestUsualLinesArePlain(t *testing.T) {
	lines := []string{"1 22222222\n333333333\t4\r\n", "1,2\n3, 4\n", "1 2 x\n3 4 5 \r\n", "1,2,x\n3,4,\n",
		"1 2 3\n3 4 5.25\n", "1,2,3,\n3,4,0.5,x\n", "1 2 x\n3 4 5 6\n", "1 2\n1048576 1\n", "1 2 3\n4 5 0.25\n",
		"a 1 2 3\na 4 5 6\n"}
	for i, c := range plainCases() {
		b, into := block{rest: []byte(strings.Repeat(lines[i], 500))}, chunk{pairs: make([]pair, 0, 1000)}
		c.h.plain.parse(&b, &into)
		if left := bytes.Count(b.rest, []byte{'\n'}); left > 60 || len(into.pairs)+left != 1000 {
			t.Errorf("%q: %d lines are left, %d edges", lines[i], left, len(into.pairs))
		}
	}
}
