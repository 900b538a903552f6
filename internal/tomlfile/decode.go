// SPDX-License-Identifier: Apache-2.0

// Package tomlfile decodes TOML files that people write. Its errors have the file, the line, the setting and the values
// that it can have, instead of names of Go types.
package tomlfile

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"g500/internal/nearest"
)

// Decode decodes text, the content of the file path, into v, a pointer to a struct that has the defaults. For a setting
// that v lacks it returns an error with the nearest setting or, if there is none, with hint.
func Decode(path, text string, v any, hint string) error {
	examples := Examples(v) // before the text changes them
	meta, err := toml.Decode(text, v)
	if err != nil {
		return fmt.Errorf("%s:%w", path, explain(err, text, v, examples))
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0].String()
		return fmt.Errorf("%s:%d: there is no setting %q%s", path, Line(text, key), key, instead(key, examples, hint))
	}
	return nil
}

// instead ends the error for an unknown key with the cure.
func instead(key string, examples map[string]string, hint string) string {
	names := slices.Sorted(maps.Keys(examples))
	for _, name := range names {
		if table, is := strings.CutSuffix(name, "."+key); is {
			return fmt.Sprintf(": write %s, or [%s] above it", name, table)
		}
	}
	return cmp.Or(nearest.DidYouMean(key, names), "; "+hint)
}

// explain returns "LINE: sentence" for an error of the TOML library about text, which has three forms.
func explain(err error, text string, v any, examples map[string]string) error {
	var syntax toml.ParseError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%d: %s", syntax.Position.Line, outOfRange(syntax.Message))
	}
	var line int
	var key string
	if _, other := fmt.Sscanf(err.Error(), "toml: line %d (last key %q", &line, &key); other != nil {
		if _, other := fmt.Sscanf(err.Error(), "toml: (last key %q", &key); other != nil {
			return fmt.Errorf("1: %s", strings.TrimPrefix(err.Error(), "toml: "))
		}
		line = Line(text, key)
	}
	wanted := kindOf(v, key)
	if wanted == "" {
		_, message, _ := strings.Cut(err.Error(), "): ")
		return fmt.Errorf("%d: %s: %s", line, key, message)
	}
	if example := examples[key]; example != "" {
		wanted += ", as in " + example
	}
	return fmt.Errorf("%d: %s must be %s", line, key, wanted)
}

// limits matches the library's message for numbers that are too large.
var limits = regexp.MustCompile(` is out of range for (u?int\d*|float\d*)$`)

// outOfRange returns the message with the limit in place of a Go type.
func outOfRange(message string) string {
	found := limits.FindStringSubmatch(message)
	if found == nil {
		return message
	}
	limit := "whole numbers in TOML are at most 9223372036854775807"
	if strings.HasPrefix(found[1], "float") {
		limit = "numbers are in double precision"
	}
	return strings.TrimSuffix(message, found[0]) + " is out of range: " + limit
}

// Examples returns for each setting of v, as table.name, the line that sets its value in v.
func Examples(v any) map[string]string {
	var all strings.Builder
	_ = toml.NewEncoder(&all).Encode(v)
	lines := map[string]string{}
	table := ""
	for line := range strings.Lines(all.String()) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			table = strings.TrimSuffix(name, "]") + "."
		} else if name, _, ok := strings.Cut(line, " ="); ok {
			lines[table+name] = line
		}
	}
	return lines
}

// Line returns the line, from 1, on which a text sets table.name, and 1 if it does not.
func Line(text, key string) int {
	at := ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if table, ok := strings.CutPrefix(line, "["); ok {
			at = strings.TrimSpace(strings.SplitN(table, "]", 2)[0]) + "."
			if at == key+"." {
				return i + 1
			}
			continue
		}
		if name, _, ok := strings.Cut(line, "="); ok && at+strings.TrimSpace(name) == key {
			return i + 1
		}
	}
	return 1
}

// kindOf describes the values that the setting key of v, table.name, takes; "" if v has no such setting.
func kindOf(v any, key string) string {
	t := reflect.TypeOf(v).Elem()
	for name := range strings.SplitSeq(key, ".") {
		if t.Kind() != reflect.Struct {
			return ""
		}
		field, ok := Field(t, name)
		if !ok {
			return ""
		}
		t = field.Type
	}
	switch {
	case t.Kind() == reflect.Struct:
		return fmt.Sprintf("a table: a line [%s] with its settings below", key)
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		return fmt.Sprintf("a list of tables: a line [[%s]] before each one's settings", key)
	}
	return kind(t)
}

// Field returns the field of a struct with that name in TOML.
func Field(t reflect.Type, name string) (reflect.StructField, bool) {
	return t.FieldByNameFunc(func(field string) bool {
		f, _ := t.FieldByName(field)
		tag, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
		return tag == name || tag == "" && strings.EqualFold(field, name)
	})
}

// kind describes the values of a type, "" if TOML has none.
func kind(t reflect.Type) string {
	switch k := t.Kind(); {
	case reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return "text in quotes"
	case k == reflect.Bool:
		return "true or false"
	case k == reflect.String:
		return "text in quotes"
	case k >= reflect.Int && k <= reflect.Uint64:
		return "a whole number"
	case k == reflect.Float32 || k == reflect.Float64:
		return "a number"
	case k == reflect.Slice && kind(t.Elem()) != "":
		return "a list in brackets, each " + kind(t.Elem())
	}
	return ""
}
