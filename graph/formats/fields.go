// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"g500/internal/infile"
)

// fields are the words of one line of text, taken from left to right. The first error stays in err, and calls after it
// return meaningless values.
type fields struct {
	path      string
	number    int // of the line, from 1
	text      []byte
	at        int  // offset of the text that is left
	column    int  // of the last word, from 1
	separator byte // between words, 0 for blanks
	tally
	err error
}

// fault records an error at a column of the line, from 1, and returns the first error of the line.
func (f *fields) fault(column int, form string, args ...any) error {
	if f.err == nil {
		f.err = fmt.Errorf("%s:%d:%d: %s", f.path, f.number, column, fmt.Sprintf(form, args...))
	}
	return f.err
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// next returns the next word and its column. The word is empty at the end of the line, and if a column of a line with
// separators is empty.
func (f *fields) next() (word []byte, column int) {
	if f.separator != 0 {
		return f.separated()
	}
	for f.at < len(f.text) && isSpace(f.text[f.at]) {
		f.at++
	}
	begin := f.at
	for f.at < len(f.text) && !isSpace(f.text[f.at]) {
		f.at++
	}
	if f.column = begin + 1; begin == f.at { // name the column after the last word, not after the blanks
		f.column = len(bytes.TrimRight(f.text, " \t\r\n")) + 1
	}
	return f.text[begin:f.at], f.column
}

// separated is next for a line with separators.
func (f *fields) separated() (word []byte, column int) {
	rest := f.text[f.at:]
	end := columnEnd(rest, f.separator)
	padded := bytes.TrimRight(rest[:end], " \t\r\n")
	word = bytes.TrimLeft(padded, " \t")
	f.column = f.at + len(padded) - len(word) + 1
	f.at = min(f.at+end+1, len(f.text))
	if last := len(word) - 1; last > 0 && word[0] == '"' && word[last] == '"' {
		word = word[1:last]
	}
	return word, f.column
}

// columnEnd returns the length of the first column. A separator between quotation marks does not end it.
func columnEnd(text []byte, separator byte) int {
	quoted := false
	for i, b := range text {
		switch {
		case b == '"':
			quoted = !quoted
		case b == separator && !quoted:
			return i
		}
	}
	return len(text)
}

// all returns all words of the line and takes none.
func (f *fields) all(separator byte) (words []string) {
	line := fields{text: f.text, separator: separator}
	for !line.blank() {
		word, _ := line.next()
		words = append(words, string(word))
	}
	return words
}

// blank reports whether the rest of the line is blank.
func (f *fields) blank() bool {
	for _, b := range f.text[f.at:] {
		if !isSpace(b) {
			return false
		}
	}
	return true
}

// end refuses further words of the line.
func (f *fields) end(after string) error {
	if f.blank() {
		return f.err
	}
	if word, column := f.next(); len(word) > 0 {
		return f.fault(column, "expected the end of the line after %s, found %q", after, short(word))
	}
	return f.err
}

// expected refuses a word at a column; name describes the expected one.
func (f *fields) expected(word []byte, column int, name string) error {
	found := strconv.Quote(short(word))
	if len(word) == 0 {
		if found = "the end of the line"; f.at < len(f.text) {
			found = "an empty column"
		}
	}
	return f.fault(column, "expected %s, found %s", name, found)
}

// short cuts a word of a file for a message.
func short(word []byte) string {
	const most = 40
	if len(word) > most {
		return infile.Clean(string(word[:most])) + "..."
	}
	return infile.Clean(string(word))
}

// integer takes an unsigned integer from low to high.
func (f *fields) integer(name string, low, high int64) int64 {
	return int64(f.unsigned(name, uint64(low), uint64(high)))
}

// unsigned is integer up to 2^64-1.
func (f *fields) unsigned(name string, low, high uint64) uint64 {
	if n, next := f.digits(); next > 0 && low <= n && n <= high {
		f.at = next
		return n
	}
	word, column := f.next()
	n, err := strconv.ParseUint(string(word), 10, 64)
	if err == nil && low <= n && n <= high {
		return n
	}
	most, hint := strconv.FormatUint(high, 10), ""
	if high == math.MaxUint64 {
		most = "2^64-1"
	}
	if low == 1 && err == nil && n == 0 {
		hint = "; labels begin at 1 in this format"
	}
	f.expected(word, column, fmt.Sprintf("%s (a whole number from %d to %s%s)", name, low, most, hint))
	return 0
}

// digits returns the value of the next word, if it is 1 to 18 digits and ends with a blank, and the position after it,
// else 0. It takes nothing: nearly all labels of a file are such words, and integer parses others.
func (f *fields) digits() (n uint64, next int) {
	at, text := f.at, f.text
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	begin := at
	for ; at < len(text); at++ {
		digit := text[at] - '0'
		if digit > 9 {
			break
		}
		n = n*10 + uint64(digit)
	}
	const most = 18 // digits that fit into 64 bits
	if length := at - begin; length == 0 || length > most {
		return 0, 0
	}
	f.column = begin + 1
	switch {
	case at == len(text) || f.separator == 0 && isSpace(text[at]):
		return n, at
	case f.separator != 0 && text[at] == f.separator:
		return n, at + 1
	}
	return 0, 0
}

// weight takes a weight. An exponent may be written as in Fortran, 1.5D+00.
func (f *fields) weight() float32 {
	word, column := f.next()
	text := string(word)
	x, err := strconv.ParseFloat(text, 32)
	if err != nil && strings.ContainsAny(text, "dD") {
		text = strings.NewReplacer("d", "e", "D", "e").Replace(text)
		x, err = strconv.ParseFloat(text, 32)
	}
	if errors.Is(err, strconv.ErrRange) {
		f.fault(column, "the weight %q is beyond single precision: scale the weights down", short(word))
		return 0
	}
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || strings.ContainsAny(text, "_xX") { // as in 1_000 and 0x1p3
		f.expected(word, column, "a weight (a number of single precision)")
		return 0
	}
	f.weigh(text, x)
	return float32(x) + 0 // -0 becomes 0
}

// weigh counts a weight whose text was read as x, if single precision changes it. A text of up to seven digits is not
// changed: no shorter one is read as x, unless x is nearly 0.
func (t *tally) weigh(text string, x float64) {
	const exact, normal, most = 7, 0x1p-126, 0x1p-24
	small := math.Abs(x) < normal
	if !small && len(text) <= exact {
		return
	}
	digits, whole := digitsOf(text), strings.TrimLeft(text, "+-0")
	other := strings.Trim(whole, "0123456789") == "" && strconv.FormatFloat(math.Abs(x), 'f', 0, 64) != whole
	double, err := strconv.ParseFloat(text, 64)
	switch {
	case digits == 0 || err != nil:
	case x == 0:
		t.vanished++
	case small && math.Abs(double-x) > most*math.Abs(x), digits > exact && (double != x || other):
		t.rounded++
	}
}

// digitsOf returns the number of significant digits of a number.
func digitsOf(text string) int {
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	return len(strings.TrimLeft(strings.NewReplacer("-", "", "+", "", ".", "").Replace(mantissa), "0"))
}
