// SPDX-License-Identifier: Apache-2.0

package infile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf16"

	"g500/internal/lists"
)

// DecodeJSON decodes a text with one JSON value into a pointer. Numbers in interfaces are json.Number, which have all
// their digits. An error is a sentence that names the key and the values that it can have, or the line.
func DecodeJSON(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	err := dec.Decode(into)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch rest := bytes.TrimSpace(text[dec.InputOffset():]); {
	case err == nil && len(rest) > 0:
		return damaged(text[:bytes.LastIndex(text, rest)])
	case errors.As(err, &syntax):
		return damaged(text[:min(int(syntax.Offset), len(text))])
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return damaged(text)
	case errors.As(err, &wrong):
		return fmt.Errorf("%s must be %s, not %s", keyOf(wrong.Field), kindOf(wrong.Type), found(wrong.Value))
	}
	return err
}

// damaged returns the error for the line at which a text ends.
func damaged(text []byte) error {
	return fmt.Errorf("line %d is no JSON: the text is damaged or cut off", 1+bytes.Count(text, []byte("\n")))
}

// CleanJSON returns the JSON text with its keys and texts clean. It returns a text that is no JSON as it is.
func CleanJSON(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\`)) && clean(text) {
		return text
	}
	var value any
	if DecodeJSON(text, &value) != nil {
		return text
	}
	cleaned, err := json.Marshal(cleanTree(value))
	if err != nil {
		return text
	}
	return cleaned
}

// EscapeJSON returns the JSON text with escapes in place of the characters that Clean replaces.
func EscapeJSON(text []byte) []byte {
	if clean(text) {
		return text
	}
	var escaped bytes.Buffer
	for _, r := range string(text) {
		if obeyed(r) && !space(r) {
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&escaped, `\u%04x`, unit)
			}
			continue
		}
		escaped.WriteRune(r)
	}
	return escaped.Bytes()
}

// clean reports whether the texts of a JSON text without escapes are clean. White space is outside them.
func clean(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool {
		return r == unicode.ReplacementChar || obeyed(r) && !space(r)
	})
}

func cleanTree(value any) any {
	switch value := value.(type) {
	case string:
		return Clean(value)
	case []any:
		for i, item := range value {
			value[i] = cleanTree(item)
		}
	case map[string]any:
		cleaned := make(map[string]any, len(value))
		for key, item := range value {
			cleaned[Clean(key)] = cleanTree(item)
		}
		return cleaned
	}
	return value
}

// keyOf returns the key without the names of embedded Go types, which begin with a capital letter.
func keyOf(field string) string {
	keys := lists.Where(strings.Split(field, "."), func(key string) bool {
		return key != "" && !unicode.IsUpper(rune(key[0]))
	})
	return cmp.Or(strings.Join(keys, "."), "the value")
}

// kindOf names the JSON values of a type.
func kindOf(t reflect.Type) string {
	switch k := t.Kind(); {
	case k == reflect.String:
		return "a text"
	case k == reflect.Bool:
		return "true or false"
	case k >= reflect.Int && k <= reflect.Uint64:
		return "a whole number in range"
	case k == reflect.Float32 || k == reflect.Float64:
		return "a number in range"
	case k == reflect.Slice || k == reflect.Array:
		return "a list"
	}
	return "an object"
}

// found names a value as package json describes it.
func found(value string) string {
	if number, is := strings.CutPrefix(value, "number "); is {
		return number
	}
	return map[string]string{"string": "a text", "number": "a number", "bool": "true or false", "array": "a list",
		"object": "an object"}[value]
}
