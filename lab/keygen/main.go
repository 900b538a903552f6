// SPDX-License-Identifier: Apache-2.0

// Command keygen writes cuda/lab/keys.h, the keys of strategies in C++, from lab/keys.toml.
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"strings"
	"text/template"

	"g500/lab"
)

func main() {
	if err := os.WriteFile("../cuda/lab/keys.h", header(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

//go:embed keys.h.template
var form string

// header returns the text of keys.h.
func header() []byte {
	var b bytes.Buffer
	made := template.Must(template.New("").Funcs(template.FuncMap{"upper": strings.ToUpper}).Parse(form))
	if err := made.Execute(&b, lab.Keys()); err != nil {
		panic(err) // a test makes the text
	}
	return b.Bytes()
}
