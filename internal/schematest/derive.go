// SPDX-License-Identifier: Apache-2.0

package schematest

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"go/doc"
	"reflect"
	"regexp"
	"strings"
)

// Document is a kind of JSON document that a command writes.
type Document struct {
	Name   string       // of its schema, as in "run"
	Format int          // counts incompatible changes
	Title  string       // one line
	Type   reflect.Type // that encoding/json writes, without the format
	List   bool         // the document is a list of them

	// Describe returns the description of a struct's field, "" for its comment; nil if all have comments.
	Describe func(t reflect.Type, field string) string

	// Numbers is a struct of integers whose members differ between versions of the program.
	Numbers reflect.Type
}

// ID returns the schema's identifier.
func (d Document) ID() string { return fmt.Sprintf("urn:g500:schema:%s:%d", d.Name, d.Format) }

// File returns the name of the schema's file.
func (d Document) File() string { return fmt.Sprintf("%s-%d.json", d.Name, d.Format) }

// member is a member of a JSON object. A list of members keeps their order.
type member struct {
	name  string
	value any
}

type object []member

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var members []string
	for _, m := range o {
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		members = append(members, fmt.Sprintf("%q:%s", m.name, value))
	}
	return []byte("{" + strings.Join(members, ",") + "}"), nil
}

// deriver derives the schema of one document.
type deriver struct {
	Document
	source *source
	types  map[string]reflect.Type // by name of the definition
	defs   object
}

// Schema derives the schema of a document. root is the folder of the module.
func Schema(root string, d Document) ([]byte, error) {
	of := &deriver{Document: d, types: map[string]reflect.Type{},
		source: &source{root: root, packages: map[string]map[string]*doc.Type{}}}
	body := of.structure(d.Type)
	if _, has := d.Type.FieldByName("Format"); !has {
		format := member{"format", object{{"const", d.Format}, {"description", "counts incompatible changes"}}}
		body.properties = append(object{format}, body.properties...)
		body.required = append([]string{"format"}, body.required...)
	}
	schema := object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"$id", d.ID()}, {"title", d.Title},
		{"$comment", "Generated from the program's types by make golden. Readers must accept members that are not listed."},
	}
	if d.List {
		schema = append(schema, member{"type", "array"}, member{"items", body.schema()})
	} else {
		schema = append(schema, body.schema()...)
	}
	if len(of.defs) > 0 {
		schema = append(schema, member{"$defs", of.defs})
	}
	text, err := json.Marshal(schema)
	if err == nil {
		err = of.source.err
	}
	var indented bytes.Buffer
	if err == nil {
		err = json.Indent(&indented, append(text, '\n'), "", "  ")
	}
	return indented.Bytes(), err
}

// structure is the members of an object.
type structure struct {
	properties object
	required   []string
}

func (s structure) schema() object {
	o := object{{"type", "object"}, {"properties", s.properties}}
	if len(s.required) > 0 {
		o = append(o, member{"required", s.required})
	}
	return o
}

// structure returns the members of a struct and of the structs that it embeds.
func (d *deriver) structure(t reflect.Type) (s structure) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		embedded := f.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		switch {
		case name == "-", name == "" && !f.Anonymous:
			continue
		case name == "":
			of := d.structure(embedded)
			s.properties = append(s.properties, of.properties...)
			if embedded == f.Type {
				s.required = append(s.required, of.required...)
			}
			continue
		}
		optional := strings.Contains(options, "omit")
		value := d.value(f.Type)
		switch kind := f.Type.Kind(); {
		case kind == reflect.Pointer && !optional && embedded.Kind() != reflect.Float64:
			value = object{{"anyOf", []any{value, object{{"type", "null"}}}}}
		case kind == reflect.Slice && !optional: // encoding/json writes null for nil
			value[0].value = []string{"array", "null"}
		}
		text := d.source.field(t, f.Name)
		if d.Describe != nil {
			text = cmp.Or(d.Describe(t, f.Name), text)
		}
		if text != "" {
			value = append(value, member{"description", forJSON(text, optional)})
		}
		s.properties = append(s.properties, member{name, value})
		if !optional {
			s.required = append(s.required, name)
		}
	}
	return s
}

var goNil = regexp.MustCompile(`\bnil\b`)

// forJSON returns a Go comment with JSON's word for nil.
func forJSON(comment string, optional bool) string {
	if optional {
		return goNil.ReplaceAllString(comment, "absent")
	}
	return goNil.ReplaceAllString(comment, "null")
}

var asText = reflect.TypeFor[encoding.TextMarshaler]()

// value returns the schema of a value. Structs are definitions.
func (d *deriver) value(t reflect.Type) object {
	switch kind := t.Kind(); {
	case kind == reflect.Pointer:
		return d.value(t.Elem())
	case t.Implements(asText), kind == reflect.String:
		schema := object{{"type", "string"}}
		if values := d.source.constants(t); len(values) > 0 {
			schema = append(schema, member{"enum", values})
		}
		return schema
	case kind == reflect.Bool:
		return object{{"type", "boolean"}}
	case reflect.Int <= kind && kind <= reflect.Int64:
		return object{{"type", "integer"}}
	case reflect.Uint <= kind && kind <= reflect.Uintptr:
		return object{{"type", "integer"}, {"minimum", 0}}
	case kind == reflect.Float32, kind == reflect.Float64:
		return object{{"type", []string{"number", "null"}}} // null if it is not finite (output.JSON)
	case kind == reflect.Slice:
		return object{{"type", "array"}, {"items", d.value(t.Elem())}}
	case kind == reflect.Array:
		return object{{"type", "array"}, {"items", d.value(t.Elem())}, {"minItems", t.Len()}, {"maxItems", t.Len()}}
	case t == d.Numbers:
		return object{{"type", "object"}, {"additionalProperties", object{{"type", "integer"}}}}
	case kind == reflect.Struct:
		return object{{"$ref", "#/$defs/" + d.define(t)}}
	}
	panic(fmt.Sprintf("schematest: no schema of %v", t))
}

// define adds the definition of a struct, if it lacks one, and returns its name.
func (d *deriver) define(t reflect.Type) string {
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	if known := d.types[name]; known != nil && known != t {
		name = strings.ToUpper(t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:]) + name
	}
	if d.types[name] == nil {
		d.types[name] = t
		i := len(d.defs)
		d.defs = append(d.defs, member{name, nil})
		schema := d.structure(t).schema()
		comment := strings.TrimPrefix(oneLine(d.source.of(t).Doc), t.Name()+" ") // of the type, without its subject
		if text := strings.TrimPrefix(comment, "is "); text != "" {
			schema = append(object{{"description", forJSON(text, false)}}, schema...)
		}
		d.defs[i].value = schema
	}
	return name
}
