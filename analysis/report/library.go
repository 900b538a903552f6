// SPDX-License-Identifier: Apache-2.0

package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io/fs"
)

// library has the plotting libraries with their licences, as their packages have them (library/README.md).
//
//go:embed library
var library embed.FS

// The page's own script and style.
var (
	//go:embed script/*.js
	scripts embed.FS
	//go:embed page.css
	style string
)

// program is the whole script of the page: the libraries, each with its licence as every copy must have it, then the
// files of script by name inside one function. They start with the event DOMContentLoaded (page.js).
var program = func() template.JS {
	all := ""
	for _, name := range []string{"d3", "plot"} {
		all += "/*\n" + contents(library, "library/LICENSE."+name) + "*/\n" +
			contents(library, "library/"+name+".*js")
	}
	return template.JS(all + "\n(() => {\n\"use strict\";\n" + contents(scripts, "script/*.js") + "})();\n")
}()

// contents returns the text of all files of a pattern, which are in the program.
func contents(files embed.FS, pattern string) (all string) {
	names, err := fs.Glob(files, pattern)
	for _, name := range names {
		var text []byte
		if text, err = files.ReadFile(name); err == nil {
			all += string(text)
		}
	}
	if err != nil {
		panic(err) // impossible
	}
	return all
}

// policy is the content security policy of a page: only this script may run.
var policy = func() string {
	sum := sha256.Sum256([]byte(program))
	return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'"
}()
