package bench

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// LoadConfig reads a configuration file over the defaults. What it refuses, it names with the line.
func LoadConfig(path string) (Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return DefaultConfig(), fmt.Errorf("cannot read the configuration: %w", err)
	}
	return ParseConfig(path, string(text))
}

// ParseConfig reads a configuration that is the text of a file of that name.
func ParseConfig(path, text string) (Config, error) {
	c := DefaultConfig()
	meta, err := toml.Decode(text, &c)
	if err != nil {
		return c, located(path, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0].String()
		return c, fmt.Errorf("%s:%d: there is no setting %q; the settings are %s",
			path, lineOf(text, key), key, settings())
	}
	var out *RangeError
	if err := c.Check(); errors.As(err, &out) {
		return c, fmt.Errorf("%s:%d: %w", path, lineOf(text, out.Key), err)
	}
	return c, nil
}

// Write writes the configuration as a file that ParseConfig reads.
func (c Config) Write(w io.Writer) error { return toml.NewEncoder(w).Encode(c) }

// located puts the line in front of an error of the TOML library, which tells it in two ways.
func located(path string, err error) error {
	var syntax toml.ParseError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%s:%d: %s", path, syntax.Position.Line, syntax.Message)
	}
	var line int
	var key string
	if _, failed := fmt.Sscanf(err.Error(), "toml: line %d (last key %q", &line, &key); failed == nil {
		_, message, _ := strings.Cut(err.Error(), "): ")
		if example := examples()[key]; example != "" {
			message = fmt.Sprintf("%s has a value of another kind than it takes, which is written as in: %s",
				key, example)
		}
		return fmt.Errorf("%s:%d: %s", path, line, message)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// settings lists every setting as table.name.
func settings() string { return strings.Join(slices.Sorted(maps.Keys(examples())), ", ") }

// examples are all settings, as table.name, with the line that gives each its default.
func examples() map[string]string {
	var all strings.Builder
	_ = toml.NewEncoder(&all).Encode(DefaultConfig())
	lines := map[string]string{}
	table := ""
	for _, line := range strings.Split(all.String(), "\n") {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			table = strings.TrimSuffix(name, "]")
		} else if name, _, ok := strings.Cut(line, " ="); ok {
			lines[table+"."+name] = line
		}
	}
	return lines
}

// lineOf finds the line, from 1, on which a configuration sets table.name; 1 if it is not found.
func lineOf(text, key string) int {
	at := ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if table, ok := strings.CutPrefix(line, "["); ok {
			at = strings.TrimSpace(strings.SplitN(table, "]", 2)[0]) + "."
			if at == key+"." {
				return i + 1
			}
			continue
		}
		if name, _, ok := strings.Cut(line, "="); ok && at+strings.TrimSpace(name) == key {
			return i + 1
		}
	}
	return 1
}
