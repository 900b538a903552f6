// SPDX-License-Identifier: Apache-2.0

package schematest

import (
	"bytes"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Validator validates documents against a schema that is closed: members that it does not list are faults.
type Validator struct{ schema *jsonschema.Schema }

// NewValidator compiles a schema, which must itself be valid.
func NewValidator(text []byte) (*Validator, error) {
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	closed(schema)
	c := jsonschema.NewCompiler()
	const address = "urn:closed"
	if err := c.AddResource(address, schema); err != nil {
		return nil, err
	}
	compiled, err := c.Compile(address)
	return &Validator{compiled}, err
}

// closed refuses members that an object of a schema does not list.
func closed(schema any) {
	switch schema := schema.(type) {
	case []any:
		for _, item := range schema {
			closed(item)
		}
	case map[string]any:
		delete(schema, "$id")
		for _, item := range schema {
			closed(item)
		}
		if _, lists := schema["properties"].(map[string]any); lists && schema["type"] == "object" {
			schema["additionalProperties"] = false
		}
	}
}

// Check returns an error for the first faults of a document.
func (v *Validator) Check(document []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	return v.schema.Validate(value)
}
