// SPDX-License-Identifier: Apache-2.0

package schematest

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// source has the documentation of the types of this module's packages.
type source struct {
	root     string
	packages map[string]map[string]*doc.Type // by import path, and by name
	err      error                           // of packages that cannot be parsed
}

// of returns the documentation of a type, an empty one for types without a name or of other modules.
func (s *source) of(t reflect.Type) *doc.Type {
	path := t.PkgPath()
	folder, inside := strings.CutPrefix(path, "g500/")
	if path == "main" {
		folder, inside = "cmd/g500", true
	}
	if s.packages[path] == nil && inside {
		s.packages[path] = s.read(folder)
	}
	if found := s.packages[path][t.Name()]; found != nil {
		return found
	}
	return new(doc.Type)
}

// read returns the types of a package by name.
func (s *source) read(folder string) map[string]*doc.Type {
	names, err := filepath.Glob(filepath.Join(s.root, folder, "*.go"))
	set, files := token.NewFileSet(), []*ast.File(nil)
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			file, fault := parser.ParseFile(set, name, nil, parser.ParseComments)
			files, err = append(files, file), errors.Join(err, fault)
		}
	}
	types := map[string]*doc.Type{}
	if err == nil {
		var p *doc.Package
		if p, err = doc.NewFromFiles(set, files, "g500/"+folder, doc.AllDecls); err == nil {
			for _, t := range p.Types {
				types[t.Name] = t
			}
		}
	}
	s.err = errors.Join(s.err, err)
	return types
}

// field returns the comment of a struct's field, "" if it has none.
func (s *source) field(t reflect.Type, name string) (comment string) {
	if s.of(t).Decl == nil {
		return ""
	}
	fields, is := s.of(t).Decl.Specs[0].(*ast.TypeSpec).Type.(*ast.StructType)
	if !is {
		return ""
	}
	for _, f := range fields.Fields.List {
		for _, of := range f.Names {
			if of.Name == name {
				return strings.TrimPrefix(oneLine(f.Comment.Text()+f.Doc.Text()), name+" ")
			}
		}
	}
	return ""
}

// constants returns the values of the constants of a named string type, in their order.
func (s *source) constants(t reflect.Type) (values []string) {
	for _, group := range s.of(t).Consts {
		for _, spec := range group.Decl.Specs {
			for _, value := range spec.(*ast.ValueSpec).Values {
				if literal, is := value.(*ast.BasicLit); is {
					if text, err := strconv.Unquote(literal.Value); err == nil {
						values = append(values, text)
					}
				}
			}
		}
	}
	return values
}

func oneLine(comment string) string { return strings.Join(strings.Fields(comment), " ") }

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
