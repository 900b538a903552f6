// SPDX-License-Identifier: Apache-2.0

// Package schema has the JSON Schemas of the documents that g500 writes. README.md describes them.
package schema

import (
	"embed"
	"io/fs"
	"strings"

	"g500/internal/lists"
)

// files has one file per document and format, such as run-3.json.
//
//go:embed *.json
var files embed.FS

// Names returns the names of the schemas in alphabetical order: a document and its format, such as run-3.
func Names() []string {
	all, _ := fs.Glob(files, "*.json") // the pattern is well-formed
	return lists.Of(all, func(file string) string { return strings.TrimSuffix(file, ".json") })
}

// Of returns the schema of that name. The error is fs.ErrNotExist if there is none.
func Of(name string) ([]byte, error) { return files.ReadFile(name + ".json") }
