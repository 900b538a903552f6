package formats

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// plainLine is the usual line of a format: two labels and, in a graph with weights, a weight, in this order. Nearly all
// lines of a file are plain. They are parsed here, eight bytes at a time; a line that has anything else, such as an
// error, is left to the function of its format, so this file has no errors.
type plainLine struct {
	prefix    byte   // the first character of a line, followed by a blank; 0 for none
	separator byte   // between columns; 0 for blanks
	first     uint64 // the lowest label
	labels    uint64 // number of labels
	weighted  bool
	more      bool // lines have further columns, which are ignored
	further   int  // their number
	any       bool // lines may have another number of them
	renumber  bool // labels are numbered
}

// Positions in a line: notPlain is the position after a column that is not plain. Up to aheadBytes after a position are
// read.
const notPlain, aheadBytes = 128, 32

// short reports whether plain lines may be parsed by pairs.
func (p *plainLine) short() bool {
	return p.prefix == 0 && p.separator == 0 && !p.weighted && !p.renumber && (!p.more || p.any)
}

// pairs parses the lines at the beginning of the rest of a block that are only two labels below 10^7 with one blank
// between them, as most lines are. into has memory for them.
func (p *plainLine) pairs(b *block, into *chunk) {
	text, all := b.rest, into.pairs
	highest, second := uint64(b.highest), uint64(b.second)
	for len(text) >= aheadBytes && len(all) < cap(all) {
		u, count := eightDigits(text)
		v, more := eightDigits(text[count+1:])
		end := count + 1 + more
		u, v = u-p.first, v-p.first
		if count&7 == 0 || more&7 == 0 || !isBlank(text[count]) || text[end] != '\n' || max(u, v) >= p.labels {
			break
		}
		all = append(all, pair{uint32(u), uint32(v)})
		highest, second = max(highest, u+1), max(second, v+1)
		text = text[end+1:]
	}
	b.fields.number += len(all) - len(into.pairs)
	b.rest, into.pairs, b.highest, b.second = text, all, int64(highest), int64(second)
}

// parse parses the plain lines at the beginning of the rest of a block, up to the first other line.
func (p *plainLine) parse(b *block, into *chunk) {
	if p.short() {
		p.pairs(b, into)
	}
	text, at := b.rest, 0
	highest, second := uint64(b.highest), uint64(b.second)
	var u, v uint64
	var w float32
	for len(text) >= notPlain+aheadBytes {
		if at = 0; p.prefix != 0 {
			at = p.afterPrefix(text)
		}
		u, at = p.label(text, at)
		v, at = p.label(text, p.gap(text, at))
		if p.weighted {
			w, at = plainWeight(text, p.gap(text, at))
		}
		length := p.end(text, at)
		if length == 0 {
			break
		}
		if p.renumber {
			into.add(b.of(u), b.of(v))
		} else {
			into.add(uint32(u), uint32(v))
		}
		if p.weighted {
			into.weights = append(into.weights, w)
		}
		highest, second = max(highest, u+1), max(second, v+1)
		text = text[length:]
		b.fields.number++
	}
	b.rest, b.highest, b.second = text, int64(highest), int64(second)
}

// afterPrefix returns the position after the prefix and a blank.
func (p *plainLine) afterPrefix(text []byte) int {
	if text[0] == p.prefix && isBlank(text[1]) {
		return 2
	}
	return notPlain
}

// label parses a label, and returns it counted from 0, with the position after it.
func (p *plainLine) label(text []byte, at int) (n uint64, next int) {
	n, count := eightDigits(text[at:])
	if count == 8 {
		n, count = digits(text[at:])
	}
	if n -= p.first; count == 0 || n >= p.labels || at >= notPlain {
		return 0, notPlain
	}
	return n, at + count
}

// digits returns the number of decimal digits at the beginning of a text, and their value; 0 if there are more than 15.
func digits(text []byte) (n uint64, count int) {
	n, count = eightDigits(text)
	if count < 8 {
		return n, count
	}
	low, count := eightDigits(text[8:])
	if count == 8 {
		return 0, 0
	}
	return n*powers[count] + low, 8 + count
}

var powers = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}

// eightDigits returns the number of decimal digits at the beginning of a text, at most eight, and their value: few
// labels have more, so eight bytes are compared and converted together (Lemire: Quickly Parsing Eight Digits, 2018).
func eightDigits(text []byte) (n uint64, count int) {
	const each, low = 0x0101010101010101, 0x000000FF000000FF
	n = binary.LittleEndian.Uint64(text) ^ '0'*each // digits become 0 to 9
	count = bits.TrailingZeros64(((n+0x76*each)|n)&(0x80*each)) / 8
	n <<= 64 - 8*count // zeros before the first digit
	n = n*10 + n>>8    // pairs of digits
	return ((n&low)*(100+1000000<<32) + (n>>16&low)*(1+10000<<32)) >> 32, count
}

// gap skips blanks and, if columns have a separator, the separator and blanks after it.
func (p *plainLine) gap(text []byte, at int) int {
	at = skipBlanks(text, at)
	if p.separator == 0 || at >= notPlain {
		return at
	}
	if text[at] != p.separator {
		return notPlain
	}
	return skipBlanks(text, at+1)
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

func skipBlanks(text []byte, at int) int {
	for at < notPlain && isBlank(text[at]) {
		at++
	}
	return at
}

// plainWeight parses a weight of few digits, with or without a point. It is a quotient of two numbers that single
// precision has exactly, so the division rounds correctly.
func plainWeight(text []byte, at int) (w float32, next int) {
	const most = 1 << 24
	n, count := digits(text[at:])
	if next = at + count; count == 0 || n > most || at >= notPlain || next >= notPlain {
		return 0, notPlain
	}
	if text[next] != '.' {
		return float32(n), next
	}
	fraction, places := digits(text[next+1:])
	if places >= len(powers) {
		return 0, notPlain
	}
	if n = n*powers[places] + fraction; n >= powers[7] { // single precision may round it, which weight counts
		return 0, notPlain
	}
	return float32(n) / float32(powers[places]), next + 1 + places
}

// end returns the length of a line of which only the end is left, 0 if it is not plain.
func (p *plainLine) end(text []byte, at int) int {
	next := skipBlanks(text, at)
	if next >= notPlain-1 {
		return 0
	}
	if text[next] == '\r' {
		next++
	}
	switch {
	case text[next] == '\n' && (!p.more || p.any):
		return next + 1
	case p.more && (p.separator == 0 && isBlank(text[at]) || p.separator != 0 && text[next] == p.separator):
		if left := bytes.IndexByte(text[next:], '\n') + 1; left > 0 && p.hasFurther(text[at:next+left]) {
			return next + left
		}
	}
	return 0
}

// hasFurther reports whether the end of a line has the further columns of the other lines, without quotation marks.
func (p *plainLine) hasFurther(text []byte) bool {
	if p.any || p.separator != 0 {
		return p.any || bytes.Count(text, []byte{p.separator}) == p.further && bytes.IndexByte(text, '"') < 0
	}
	words, before := 0, true
	for _, b := range text {
		blank := isSpace(b)
		if before && !blank {
			words++
		}
		before = blank
	}
	return words == p.further
}
