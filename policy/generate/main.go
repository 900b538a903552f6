// SPDX-License-Identifier: Apache-2.0

// Command generate makes the Go and C types of policies from policy/policy.toml: go generate ./policy runs it.
package main

import (
	_ "embed"
	"go/format"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

// line matches the line of a key of policy.toml. Limits are integers, or powers of two as in 2^32-1.
var line = regexp.MustCompile(`(?m)^([a-z_]+) = ([0-9]+) # ([0-9^-]+) to ([0-9^-]+)(?::.*)?$`)

// key is a key of policy.toml, with its default and its range, and its names as a member in Go and in C.
type key struct{ Key, Usual, Low, High, Member, Name string }

// policies has all keys, and those that the kernels of breadth-first search and of shortest paths receive.
type policies struct{ All, Searches, Paths []key }

// read reads the content of policy.toml.
func read(text string) (p policies) {
	limit := strings.NewReplacer("2^", "1<<")
	for _, part := range line.FindAllStringSubmatch(text, -1) {
		k := key{Key: part[1], Usual: part[2], Low: limit.Replace(part[3]), High: limit.Replace(part[4])}
		for word := range strings.SplitSeq(strings.Replace(k.Key, "sssp", "SSSP", 1), "_") {
			k.Member += strings.ToUpper(word[:1]) + word[1:]
		}
		name, ofPaths := strings.CutPrefix(k.Key, "sssp_")
		k.Name, p.All = name, append(p.All, k)
		switch {
		case k.Key == "wait_seconds", k.Key == "prelaunch", k.Key == "sssp_pruned": // which replaces sssp_window
		case ofPaths:
			p.Paths = append(p.Paths, k)
		default:
			p.Searches = append(p.Searches, k)
		}
	}
	return p
}

// forms has a template for each generated file, with its path.
//
//go:embed forms.template
var forms string

// files returns the generated files by path, of the content of policy.toml.
func files(text string) map[string]string {
	all, made := map[string]string{}, template.Must(template.New("").Parse(forms))
	for _, path := range []string{"policy/policy_gen.go", "cuda/policy_gen.go", "cuda/common/policy_gen.h"} {
		var content strings.Builder
		if err := made.ExecuteTemplate(&content, path, read(text)); err != nil {
			panic(err) // of our own template
		}
		if all[path] = content.String(); filepath.Ext(path) == ".go" {
			all[path] = formatted(content.String())
		}
	}
	return all
}

func formatted(program string) string {
	text, err := format.Source([]byte(program))
	if err != nil {
		panic(err) // of our own text
	}
	return string(text)
}

// main writes the files. The working folder is policy.
func main() {
	text, err := os.ReadFile("policy.toml")
	if err != nil {
		log.Fatal(err)
	}
	for path, content := range files(string(text)) {
		if err := os.WriteFile(filepath.Join("..", path), []byte(content), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
