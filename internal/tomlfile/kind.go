// SPDX-License-Identifier: Apache-2.0

package tomlfile

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"
)

// kindOf describes the values that the setting key of v, table.name, takes; "" if v has no such setting.
func kindOf(v any, key string) string {
	t := reflect.TypeOf(v).Elem()
	for name := range strings.SplitSeq(key, ".") {
		if t.Kind() != reflect.Struct {
			return ""
		}
		field, ok := fieldNamed(t, name)
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

// fieldNamed returns the field of a struct with that name in TOML.
func fieldNamed(t reflect.Type, name string) (reflect.StructField, bool) {
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
