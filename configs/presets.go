package configs

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed *.toml
var files embed.FS

// Preset is a named run.
type Preset struct {
	Name  string
	Text  string // the configuration, in TOML
	What  string // is run: the first line
	Price string // memory and time: the second line
}

// All are the presets, by name.
func All() []Preset {
	names, err := fs.Glob(files, "*.toml")
	if err != nil {
		panic(err) // of our own pattern
	}
	var all []Preset
	for _, file := range names {
		preset, err := read(file)
		if err != nil {
			panic(err) // of our own files
		}
		all = append(all, preset)
	}
	return all
}

// Named finds a preset.
func Named(name string) (Preset, error) {
	var names []string
	for _, preset := range All() {
		if preset.Name == name {
			return preset, nil
		}
		names = append(names, preset.Name)
	}
	return Preset{}, fmt.Errorf("there is no preset %q; there are %s", name, strings.Join(names, ", "))
}

// read takes a preset apart: it begins with "# NAME: what", then "# Price: ...".
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
