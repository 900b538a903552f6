package record

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A run is read from run.json, or from the compressed file if there is no other.
func TestStored(t *testing.T) {
	text := []byte(written(t, (*Run).WriteJSON, small()))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); errors.Join(err, w.Close()) != nil {
		t.Fatal(err)
	}
	cutOff := packed.Bytes()[:packed.Len()/2]
	for _, c := range []struct {
		meaning string
		files   map[string][]byte
		want    string // of the error, "" for none
	}{
		{"as it is written", map[string][]byte{File: text}, ""},
		{"packed", map[string][]byte{PackedFile: packed.Bytes()}, ""},
		{"both", map[string][]byte{File: text, PackedFile: cutOff}, ""},
		{"packed and cut off", map[string][]byte{PackedFile: cutOff}, "run.json.gz is damaged"},
		{"not packed under the packed file's name", map[string][]byte{PackedFile: text}, "run.json.gz is damaged"},
	} {
		dir := t.TempDir()
		for name, content := range c.files {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := Stored(dir)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %q", c.meaning, err, c.want)
			}
			continue
		}
		if run, err2 := Read(dir); err != nil || err2 != nil || !bytes.Equal(got, text) || run.Scale != small().Scale {
			t.Errorf("%s: %v, %v", c.meaning, err, err2)
		}
	}
	if _, err := Read(t.TempDir()); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), File) {
		t.Errorf("an empty folder: %v", err)
	}
}
