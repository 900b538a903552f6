package formats

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// fields are the words of a line of text, taken one after the other.
type fields struct {
	path   string
	number int // of the line, from 1
	text   []byte
	at     int // what is before it was taken
	column int // of the word that was taken last, from 1

	separator byte // between words, 0 for blanks
	rounded   int  // the number of weights above 2^24 that single precision has not
}

// fault is an error at a column of the line, from 1.
func (f *fields) fault(column int, form string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %s", f.path, f.number, column, fmt.Sprintf(form, args...))
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// next returns the next word and its column; the word is empty at the end of the line, and for an empty column of a
// line with separators.
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
	if f.column = begin + 1; begin == f.at { // after the last word, and not after the end of the line
		f.column = len(bytes.TrimRight(f.text, " \t\r\n")) + 1
	}
	return f.text[begin:f.at], f.column
}

// separated is next for a line with separators.
func (f *fields) separated() (word []byte, column int) {
	rest := f.text[f.at:]
	end := bytes.IndexByte(rest, f.separator)
	if end < 0 {
		end = len(rest)
	}
	padded := bytes.TrimRight(rest[:end], " \t\r\n")
	word = bytes.TrimLeft(padded, " \t")
	f.column = f.at + len(padded) - len(word) + 1
	f.at = min(f.at+end+1, len(f.text))
	return word, f.column
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

// numeric reports whether the line begins with a number.
func (f *fields) numeric() bool {
	line := bytes.TrimLeft(f.text, " \t")
	return len(line) > 0 && (line[0] >= '0' && line[0] <= '9' || line[0] == '-' || line[0] == '+')
}

// blank reports whether nothing is left of the line.
func (f *fields) blank() bool {
	for _, b := range f.text[f.at:] {
		if !isSpace(b) {
			return false
		}
	}
	return true
}

// end refuses what is left of the line.
func (f *fields) end(after string) error {
	if word, column := f.next(); len(word) > 0 {
		return f.fault(column, "%q stands where the line should end after %s", short(word), after)
	}
	return nil
}

// expected says what should stand at a column in place of a word.
func (f *fields) expected(word []byte, column int, what string) error {
	if len(word) == 0 && f.at < len(f.text) {
		return f.fault(column, "a column is empty where %s is expected", what)
	}
	if len(word) == 0 {
		return f.fault(column, "the line ends where %s is expected", what)
	}
	return f.fault(column, "%q stands where %s is expected", short(word), what)
}

// short is a word as a message can have it.
func short(word []byte) string {
	const most = 40
	if len(word) > most {
		return string(word[:most]) + "..."
	}
	return string(word)
}

// whole takes a whole number from low to high.
func (f *fields) whole(what string, low, high int64) (int64, error) {
	word, column := f.next()
	const most = 18 // digits that fit into 64 bits
	ok := len(word) > 0 && len(word) <= most
	n := int64(0)
	for _, b := range word {
		if b < '0' || b > '9' {
			ok = false
			break
		}
		n = n*10 + int64(b-'0')
	}
	if !ok || n < low || n > high {
		what = fmt.Sprintf("%s, a whole number from %d to %d,", what, low, high)
		if low == 1 && ok && n == 0 {
			return 0, fmt.Errorf("%w: labels begin at 1 in this format", f.expected(word, column, what))
		}
		return 0, f.expected(word, column, what)
	}
	return n, nil
}

// exact is the number up to which single precision has all whole numbers.
const exact = 1 << 24

// weight takes a weight. Fortran's exponents, as in 1.5D+00, are numbers too.
func (f *fields) weight() (float32, error) {
	word, column := f.next()
	text := string(word)
	x, err := strconv.ParseFloat(text, 32)
	if err != nil && strings.ContainsAny(text, "dD") {
		x, err = strconv.ParseFloat(strings.NewReplacer("d", "e", "D", "e").Replace(text), 32)
	}
	if errors.Is(err, strconv.ErrRange) {
		return 0, f.fault(column, "the weight %q is beyond single precision: scale the weights down", short(word))
	}
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, f.expected(word, column, "a weight, a number of single precision,")
	}
	if math.Abs(x) >= exact {
		if double, err := strconv.ParseFloat(text, 64); err == nil && double != x {
			f.rounded++
		}
	}
	if x == 0 {
		return 0, nil // and no negative zero
	}
	return float32(x), nil
}
