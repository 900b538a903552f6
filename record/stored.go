package record

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The file that a folder has its run in: as it is written, or packed by gzip, as runs are that are kept. Where both are
// there, the first counts.
const (
	File       = "run.json"
	PackedFile = File + ".gz"
)

// Stored is the JSON of the run in a folder, unpacked. Its error is fs.ErrNotExist where the folder has no run.
func Stored(dir string) ([]byte, error) {
	text, missing := os.ReadFile(filepath.Join(dir, File))
	if !errors.Is(missing, fs.ErrNotExist) {
		return text, missing
	}
	packed, err := os.ReadFile(filepath.Join(dir, PackedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		text, err = io.ReadAll(unpacked)
	}
	if err != nil {
		return nil, fmt.Errorf("record: %s is damaged: %w", filepath.Join(dir, PackedFile), err)
	}
	return text, nil
}

// ReadStored reads the run in a folder.
func ReadStored(dir string) (*Run, error) {
	text, err := Stored(dir)
	if err != nil {
		return nil, err
	}
	return ReadJSON(bytes.NewReader(text))
}
