// SPDX-License-Identifier: Apache-2.0

package schematest

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"g500/internal/expect"
)

type part struct {
	Name  string        `json:"name"`
	Sizes [2]uint       `json:"sizes"`
	Wait  time.Duration `json:"wait_ns"`
}

type always struct {
	A int `json:"a"`
}

type sometimes struct {
	B float64 `json:"b"`
}

type whole struct {
	always
	*sometimes
	Hidden   int             `json:"-"`
	Parts    []part          `json:"parts"`
	More     []part          `json:"more,omitempty"`
	Known    *part           `json:"known"`
	Optional *part           `json:"optional,omitempty"`
	Numbers  map[string]bool `json:"-"`
}

// The schema follows encoding/json: members of embedded structs, null for nil, and optional members.
func TestSchemaByHand(t *testing.T) {
	d := Document{Name: "whole", Format: 4, Title: "A test", Type: reflect.TypeFor[whole]()}
	text := expect.Value(Schema("../..", d))(t)
	var got, want any
	expect.NoError(t, json.Unmarshal(text, &got))
	const expected = `{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:g500:schema:whole:4", "title": "A test",
		"$comment": "Generated from the program's types by make golden. Readers must accept members that are not listed.",
		"type": "object",
		"properties": {
			"format": {"const": 4, "description": "counts incompatible changes"},
			"a": {"type": "integer"}, "b": {"type": ["number", "null"]},
			"parts": {"type": ["array", "null"], "items": {"$ref": "#/$defs/Part"}},
			"more": {"type": "array", "items": {"$ref": "#/$defs/Part"}},
			"known": {"anyOf": [{"$ref": "#/$defs/Part"}, {"type": "null"}]}, "optional": {"$ref": "#/$defs/Part"}
		},
		"required": ["format", "a", "parts", "known"],
		"$defs": {"Part": {"type": "object", "properties": {
			"name": {"type": "string"}, "wait_ns": {"type": "integer"},
			"sizes": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2}
		}, "required": ["name", "sizes", "wait_ns"]}}
	}`
	expect.NoError(t, json.Unmarshal([]byte(expected), &want))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s", text)
	}
}

// Every kind of document that encoding/json writes for the type is valid; members that the schema lacks are not.
func TestValidator(t *testing.T) {
	text, err := Schema("../..", Document{Name: "whole", Format: 4, Type: reflect.TypeFor[whole]()})
	expect.NoError(t, err)
	v := expect.Value(NewValidator(text))(t)
	for document, valid := range map[string]bool{
		`{"format": 4, "a": 1, "parts": null, "known": null}`:                                                      true,
		`{"format": 4, "a": 1, "b": 0.5, "parts": [{"name": "x", "sizes": [1, 2], "wait_ns": -3}], "known": null}`: true,
		`{"format": 3, "a": 1, "parts": null, "known": null}`:                                                      false,
		`{"format": 4, "a": 1.5, "parts": null, "known": null}`:                                                    false,
		`{"format": 4, "parts": null, "known": null}`:                                                              false,
		`{"format": 4, "a": 1, "parts": null, "known": null, "c": 1}`:                                              false,
		`{"format": 4, "a": 1, "parts": [{"name": "x", "sizes": [1], "wait_ns": 0}], "known": null}`:               false,
		`{"format": 4, "a": 1, "parts": [{"name": "x", "sizes": [1, -2], "wait_ns": 0}], "known": null}`:           false,
		`{"format": 4, "a": 1, "parts": [{"name": "x", "sizes": [1, 2], "wait_ns": 0, "more": 1}], "known": null}`: false,
		`{"format": 4`: false,
	} {
		if err := v.Check([]byte(document)); (err == nil) != valid {
			t.Errorf("%s: %v", document, err)
		}
	}
}
