// SPDX-License-Identifier: Apache-2.0

package infile

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean returns a text of a foreign file or a file's name for a table or a document: with blanks in place of tabs and
// line ends, and ? in place of bytes that are no text and of other characters that a terminal obeys or
// does not show, such as controls and overrides of the direction.
func Clean(text string) string {
	if IsClean(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if space(r) {
			return ' '
		}
		return shown(r)
	}, strings.ToValidUTF8(text, "?"))
}

// IsClean reports whether Clean returns the text itself.
func IsClean(text string) bool { return utf8.ValidString(text) && !strings.ContainsFunc(text, obeyed) }

// CleanOutput is Clean for a whole output, whose tabs and line ends stay.
func CleanOutput(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if space(r) {
			return r
		}
		return shown(r)
	}, bytes.ToValidUTF8(text, []byte("?")))
}

func space(r rune) bool { return r == '\t' || r == '\n' || r == '\r' }

// shown returns a character that the reader sees.
func shown(r rune) rune {
	if obeyed(r) {
		return '?'
	}
	return r
}

// obeyed reports whether a terminal obeys a character or does not show it.
func obeyed(r rune) bool {
	if ' ' <= r && r <= '~' {
		return false // fast, for files of many megabytes
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// CleanFields cleans the exported texts of the struct to which v points, and of the structs, slices and arrays in it.
func CleanFields(v any) { cleanValue(reflect.ValueOf(v).Elem()) }

func cleanValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() {
			v.SetString(Clean(v.String()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			cleanValue(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			cleanValue(v.Index(i))
		}
	}
}

// LeftOut returns the sentence for a file that is left out because of an error.
func LeftOut(name string, err error) string {
	return Clean(fmt.Sprintf("%s was left out: %v", name, err))
}
