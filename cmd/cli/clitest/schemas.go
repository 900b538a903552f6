package clitest

import (
	"path/filepath"
	"strings"
	"testing"

	"g500/cmd/cli"
	"g500/docs/schema"
	"g500/internal/schematest"
)

// Documents are the documents that the commands of a program print with --json.
type Documents []schematest.Document

// AreCurrent checks that docs/schema has the schema of each document in its present format, as its types have it, or
// with Update writes it.
func (all Documents) AreCurrent(t *testing.T) {
	t.Helper()
	for _, d := range all {
		want, err := schematest.Schema("../..", d)
		if err != nil {
			t.Fatal(err)
		}
		// A change that old readers misread needs the next format.
		IsCurrent(t, filepath.Join("../../docs/schema", d.File()), string(want))
	}
}

// Validator returns a validator of a document's present format.
func (all Documents) Validator(t *testing.T, name string) *schematest.Validator {
	t.Helper()
	for _, d := range all {
		if d.Name != name {
			continue
		}
		text, err := schema.Of(strings.TrimSuffix(d.File(), ".json"))
		if err != nil {
			t.Fatal(err)
		}
		v, err := schematest.NewValidator(text)
		if err != nil {
			t.Fatalf("%s: %v", d.File(), err)
		}
		return v
	}
	t.Fatalf("there is no document %q", name)
	return nil
}

// FollowSchemas checks that the outputs of commands follow their schemas. A row has the name of the document and the
// command.
func (p Program) FollowSchemas(t *testing.T, all Documents, rows [][2]string) {
	t.Helper()
	for _, row := range rows {
		status, out, errOut := p.Call(strings.Fields(row[1])...)
		if status != cli.Success {
			t.Errorf("%s: status %d: %s", row[1], status, errOut)
		} else if err := all.Validator(t, row[0]).Check([]byte(out)); err != nil {
			t.Errorf("%s: %v", row[1], err)
		}
	}
}
