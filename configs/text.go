// SPDX-License-Identifier: Apache-2.0

package configs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"g500/internal/infile"
)

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
