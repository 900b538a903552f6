// SPDX-License-Identifier: Apache-2.0

package clitest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"g500/docs/schema"
	"g500/internal/expect"
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
		expect.Golden(t, filepath.Join("../../docs/schema", d.File()), string(want))
	}
}

// Validator returns a validator of a document's present format.
func (all Documents) Validator(name string) (*schematest.Validator, error) {
	i := slices.IndexFunc(all, func(d schematest.Document) bool { return d.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no document %q", name)
	}
	text, err := schema.Of(strings.TrimSuffix(all[i].File(), ".json"))
	if err != nil {
		return nil, err
	}
	return schematest.NewValidator(text)
}

func (all Documents) follows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: follows DOCUMENT FILE...")
	}
	v, err := all.Validator(args[0])
	ts.Check(err)
	for _, pattern := range args[1:] {
		files, _ := filepath.Glob(ts.MkAbs(pattern))
		if pattern == "stdout" {
			files = []string{pattern}
		}
		if len(files) == 0 {
			ts.Fatalf("there is no file %s", pattern)
		}
		for _, file := range files {
			if err := v.Check([]byte(ts.ReadFile(file))); err != nil {
				ts.Fatalf("%s: %v", file, err)
			}
		}
	}
}
