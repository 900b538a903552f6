// SPDX-License-Identifier: Apache-2.0

package schematest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// source reads the comments and constants of the module's packages.
type source struct {
	root     string
	packages map[string][]*ast.File
	err      error // of the first package that cannot be parsed
}

func newSource(root string) *source { return &source{root: root, packages: map[string][]*ast.File{}} }

// files returns the parsed files of a type's package, without tests; none for packages of other modules.
func (s *source) files(t reflect.Type) []*ast.File {
	path := t.PkgPath()
	folder, inside := strings.CutPrefix(path, "g500/")
	if path == "main" || path == "g500/cmd/g500" {
		folder, inside = "cmd/g500", true
	}
	if files, known := s.packages[path]; known || !inside {
		return files
	}
	names, err := filepath.Glob(filepath.Join(s.root, folder, "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, fault := os.ReadFile(name)
		if fault != nil {
			err = fault
			continue
		}
		file, fault := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		if fault != nil {
			err = fault
			continue
		}
		s.packages[path] = append(s.packages[path], file)
	}
	if s.err == nil {
		s.err = err
	}
	return s.packages[path]
}

// declarations calls each with the specifications of a package and their declaration.
func (s *source) declarations(t reflect.Type, each func(*ast.GenDecl, ast.Spec)) {
	for _, file := range s.files(t) {
		for _, declaration := range file.Decls {
			if general, is := declaration.(*ast.GenDecl); is {
				for _, spec := range general.Specs {
					each(general, spec)
				}
			}
		}
	}
}

// typeSpec returns a type's specification and its comment; nil for types without a name.
func (s *source) typeSpec(t reflect.Type) (found *ast.TypeSpec, comment string) {
	s.declarations(t, func(declaration *ast.GenDecl, spec ast.Spec) {
		if of, is := spec.(*ast.TypeSpec); is && of.Name.Name == t.Name() {
			found, comment = of, of.Doc.Text()
			if comment == "" {
				comment = declaration.Doc.Text()
			}
		}
	})
	return found, comment
}

// typeOf returns the comment of a type without its subject.
func (s *source) typeOf(t reflect.Type) string {
	_, comment := s.typeSpec(t)
	comment = strings.TrimPrefix(oneLine(comment), t.Name()+" ")
	return strings.TrimPrefix(comment, "is ")
}

// field returns the comment of a struct's field, "" if it has none.
func (s *source) field(t reflect.Type, name string) (comment string) {
	spec, _ := s.typeSpec(t)
	if spec == nil {
		return ""
	}
	fields, is := spec.Type.(*ast.StructType)
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
	s.declarations(t, func(_ *ast.GenDecl, spec ast.Spec) {
		of, is := spec.(*ast.ValueSpec)
		if !is {
			return
		}
		if named, is := of.Type.(*ast.Ident); !is || named.Name != t.Name() || t.PkgPath() == "" {
			return
		}
		for _, value := range of.Values {
			if literal, is := value.(*ast.BasicLit); is {
				if text, err := strconv.Unquote(literal.Value); err == nil {
					values = append(values, text)
				}
			}
		}
	})
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
