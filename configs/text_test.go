package configs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTextIsOfAFileOrAPreset(t *testing.T) {
	dir := t.TempDir()
	tiny, err := Named("tiny")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"tiny", "mine"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "laptop"), []byte("# a file"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, want, fault string }{
		{"tiny", tiny.Text, ""}, // although a folder has that name
		{"laptop", "# a file", ""},
		{"mine", "", "mine is a directory; there is no preset \"mine\": did you mean mini?"},
		{"nowhere", "", "no such file or directory: check the path; there is no preset \"nowhere\"; there are cluster"},
	} {
		got, err := Text(filepath.Join(dir, c.name), c.name)
		if got != c.want || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %q (%v), want %q %q", c.name, got, err, c.want, c.fault)
		}
	}
}
