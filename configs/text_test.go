// SPDX-License-Identifier: Apache-2.0

package configs

import (
	"os"
	"path/filepath"
	"testing"

	"g500/internal/expect"
)

func TestTextIsOfAFileOrAPreset(t *testing.T) {
	dir := t.TempDir()
	tiny := expect.Value(Named("tiny"))(t)
	for _, folder := range []string{"tiny", "mine"} {
		expect.NoError(t, os.Mkdir(filepath.Join(dir, folder), 0o777))
	}
	expect.Write(t, filepath.Join(dir, "laptop"), "# a file")
	for _, c := range []struct{ name, want, fault string }{
		{"tiny", tiny.Text, ""}, // although a folder has that name
		{"laptop", "# a file", ""},
		{"mine", "", "mine is a directory; there is no preset \"mine\": did you mean mini?"},
		{"nowhere", "", "no such file or directory: check the path; there is no preset \"nowhere\"; there are cluster"},
	} {
		got, err := Text(filepath.Join(dir, c.name), c.name)
		expect.Equal(t, got, c.want, c.name)
		expect.Error(t, err, c.fault, c.name)
	}
}
