// SPDX-License-Identifier: Apache-2.0

// Package configs holds the presets: named runs, each with its cost at the top. They are embedded in the program, which
// can therefore run them by name if it is installed without this folder. The folder studies has files for g500 scale.
package configs

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"g500/internal/infile"
	"g500/internal/lists"
	"g500/internal/nearest"
)

//go:embed *.toml
var files embed.FS

// Preset is a named run.
type Preset struct {
	Name  string `json:"name"`
	Text  string `json:"-"`     // the configuration, in TOML
	What  string `json:"what"`  // graph and machine: the first line
	Price string `json:"price"` // memory and time: the second line
}

// All returns the presets, sorted by name.
func All() []Preset {
	names, err := fs.Glob(files, "*.toml")
	if err != nil {
		panic(err) // the pattern is constant
	}
	return lists.Of(names, func(file string) Preset {
		preset, err := read(file)
		if err != nil {
			panic(err) // the files are part of the program
		}
		return preset
	})
}

// Named returns the preset of that name.
func Named(name string) (Preset, error) {
	all := All()
	if preset := lists.Find(all, func(p Preset) bool { return p.Name == name }); preset != nil {
		return *preset, nil
	}
	names := lists.Of(all, func(p Preset) string { return p.Name })
	return Preset{}, fmt.Errorf("there is no preset %q%s", name,
		cmp.Or(nearest.DidYouMean(name, names), "; there are "+strings.Join(names, ", ")))
}

// read reads a preset: a line "# NAME: what", a line "# Price: ...", and the settings.
func read(file string) (Preset, error) {
	text, err := files.ReadFile(file)
	if err != nil {
		return Preset{}, err
	}
	p := Preset{Name: strings.TrimSuffix(file, ".toml"), Text: string(text)}
	lines := strings.SplitN(p.Text, "\n", 3)
	var named, priced bool
	p.What, named = strings.CutPrefix(lines[0], "# "+p.Name+": ")
	p.Price, priced = strings.CutPrefix(lines[1], "# Price: ")
	if !named || !priced {
		return p, fmt.Errorf("configs: %s does not begin with its name and its price", file)
	}
	return p, nil
}

// Text returns the text of the configuration file path or, if there is no such file, of the preset name. A folder does
// not hide a preset.
func Text(path, name string) (string, error) {
	text, err := infile.Small(path, "the configuration", infile.Settings)
	info, failed := os.Stat(path)
	folder := failed == nil && info.IsDir()
	if err == nil || !folder && !errors.Is(err, fs.ErrNotExist) {
		return string(text), err
	}
	preset, unknown := Named(name)
	switch {
	case unknown == nil:
		return preset.Text, nil
	case folder:
		return "", fmt.Errorf("cannot read the configuration: %s is a directory; %w", path, unknown)
	}
	return "", fmt.Errorf("%w; %w", err, unknown)
}
