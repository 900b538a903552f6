// SPDX-License-Identifier: Apache-2.0

package output

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"

	"g500/internal/infile"
)

// JSON writes a value with two spaces of indentation, and HTML's special characters as they are, and characters that a
// terminal obeys as escapes. A number that is not finite is null.
func JSON(w io.Writer, value any) error {
	text, err := indented(value)
	var refused *json.UnsupportedValueError
	if errors.As(err, &refused) {
		if text, err = indented(finite(reflect.ValueOf(value)).Interface()); err == nil {
			text = marked.ReplaceAll(text, []byte("null$1"))
		}
	}
	if err == nil {
		_, err = w.Write(infile.EscapeJSON(text))
	}
	return err
}

// JSONLine returns a value as JSON on one line, without the line's end. A number that is not finite is null.
func JSONLine(value any) ([]byte, error) {
	var text, line bytes.Buffer
	if err := JSON(&text, value); err != nil {
		return nil, err
	}
	err := json.Compact(&line, text.Bytes())
	return line.Bytes(), err
}

// Document writes an object like JSON, with its format as the first member. The format counts incompatible changes.
func Document(w io.Writer, format int, object any) error {
	var text bytes.Buffer
	if err := JSON(&text, object); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "{\n  \"format\": %d,\n%s", format, bytes.TrimPrefix(text.Bytes(), []byte("{\n")))
	return err
}

func indented(value any) ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(value)
	return text.Bytes(), err
}

// mark replaces numbers that are not finite, which encoding/json refuses. No figure has this value.
const mark = -math.MaxFloat64

// marked matches a mark at the end of a line. Strings end with a quotation mark, so that none of them matches.
var marked = regexp.MustCompile(`-1\.7976931348623157e\+308(,?\n)`)

// finite returns a copy of a value with mark in place of each number that is not finite. It copies pointers and slices.
func finite(v reflect.Value) reflect.Value {
	is := reflect.New(v.Type()).Elem()
	is.Set(v)
	switch v.Kind() {
	case reflect.Float64:
		if x := v.Float(); math.IsInf(x, 0) || math.IsNaN(x) {
			is.SetFloat(mark)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			is.Set(reflect.New(v.Type().Elem()))
			is.Elem().Set(finite(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			is.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			is.Index(i).Set(finite(v.Index(i)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				is.Field(i).Set(finite(v.Field(i)))
			}
		}
	}
	return is
}
