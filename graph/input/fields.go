package input

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// fields are the words of a line of text, taken one after the other.
type fields struct {
	path   string
	number int // of the line, from 1
	text   []byte
	at     int // what is before it was taken
	column int // of the word that was taken last, from 1
}

// fault is an error at a column of the line, from 1.
func (f *fields) fault(column int, form string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %s", f.path, f.number, column, fmt.Sprintf(form, args...))
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// next is the next word and its column; the word is empty at the end of the line.
func (f *fields) next() (word []byte, column int) {
	for f.at < len(f.text) && isSpace(f.text[f.at]) {
		f.at++
	}
	begin := f.at
	for f.at < len(f.text) && !isSpace(f.text[f.at]) {
		f.at++
	}
	if f.column = begin + 1; begin == f.at { // behind the last word, and not behind the end of the line
		f.column = len(bytes.TrimRight(f.text, " \t\r\n")) + 1
	}
	return f.text[begin:f.at], f.column
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
		return 0, f.expected(word, column, fmt.Sprintf("%s, a whole number from %d to %d,", what, low, high))
	}
	return n, nil
}

// weight takes a weight.
func (f *fields) weight() (float32, error) {
	word, column := f.next()
	x, err := strconv.ParseFloat(string(word), 32)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, f.expected(word, column, "a weight, a number of single precision,")
	}
	return float32(x), nil
}
