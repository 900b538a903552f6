package record

import (
	"errors"
	"fmt"
	"io"

	"github.com/BurntSushi/toml"

	"g500/internal/tomlfile"
)

// ParseConfig reads a configuration over the defaults: text is the content of the file path. Errors name the line.
func ParseConfig(path, text string) (Config, error) {
	c := DefaultConfig()
	if err := tomlfile.Decode(path, text, &c, "g500 run --print-config shows them all"); err != nil {
		return c, err
	}
	var out *RangeError
	if err := c.Check(); errors.As(err, &out) {
		return c, fmt.Errorf("%s:%d: %w", path, tomlfile.Line(text, out.Key), err)
	}
	return c, nil
}

// Write writes the configuration as a file that ParseConfig reads.
func (c Config) Write(w io.Writer) error { return toml.NewEncoder(w).Encode(c) }
