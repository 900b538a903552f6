// SPDX-License-Identifier: Apache-2.0

package infile

import (
	"context"
	"errors"
	"hash/crc64"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/internal/expect"
)

func of(text string) (f Fingerprint) {
	_, _ = f.Write([]byte(text))
	return f
}

// The checksum of "123456789" is the published check value of CRC-64/XZ.
func TestFingerprintIsCRC64XZ(t *testing.T) {
	got := of("123456789")
	expect.That(t, got.Hex() == "995dc9bbdf1939fa" && got.Bytes == 9, "%v", got)
	table := crc64.MakeTable(crc64.ECMA)
	text := []byte(strings.Repeat("0 1\n17 4711\n", 9999))
	for _, n := range []int{0, 1, 8191, 8192, 8207, len(text)} {
		expect.Equal(t, of(string(text[:n])).CRC64, crc64.Checksum(text[:n], table), n, "bytes")
	}
}

// refused are paths of files that are not regular or not small, with the words that name them.
func refused(t *testing.T) map[string]string {
	dir := t.TempDir()
	pipe, socket, large := expect.Pipe(t), filepath.Join(dir, "socket"), filepath.Join(dir, "large")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { listener.Close() })
	expect.NoError(t, errors.Join(os.WriteFile(large, nil, 0o600), os.Truncate(large, 1<<40)))
	return map[string]string{dir: "is a directory", pipe: "is a pipe", socket: "is a socket", os.DevNull: "is a device",
		"/dev/zero": "is a device", filepath.Join(dir, "none"): "no such file or directory: check the path",
		large: "has more than 1000 bytes"}
}

func TestOtherThanSmallRegularFilesAreNamed(t *testing.T) {
	for path, want := range refused(t) {
		_, err := Small(path, "the study", 1000)
		expect.Error(t, err, want, path)
		expect.Error(t, err, "cannot read the study: ", path)
		_, err = Regular(path, "the tree")
		expect.That(t, (err == nil) == strings.HasPrefix(want, "has more"), "%s: %v", path, err)
	}
	for path, want := range refused(t) {
		if strings.HasPrefix(want, "is a ") && want != "is a pipe" {
			expect.Error(t, expect.Err(Open(t.Context(), path)), want+": name a file", path)
		}
	}
	expect.Contains(t, string(expect.Value(Small("doc.go", "the package", 1000))(t)), "\n// Package")
	_, err := Small("/proc/self/smaps", "the study", 10) // its size is 0 before it is read
	expect.That(t, err != nil, "a file that grows was read beyond the limit")
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"plain, nöde 7, 図":               "plain, nöde 7, 図",
		"\x1b]0;pwn\a\x1b[31mred":        "?]0;pwn??[31mred",
		"C1 \u009b31m, bidi \u202ex":     "C1 ?31m, bidi ?x",
		"\u2066isolated\u2069\u200b":     "?isolated??",
		"two\nlines\tand a return\r\x7f": "two lines and a return ?",
		"bytes \xff\xfe\x9b":             "bytes ?",
	} {
		got := Clean(text)
		expect.That(t, got == want && IsClean(got) && IsClean(text) == (text == want), "%q: %q, want %q", text, got, want)
	}
	v := struct {
		Name string
		List []struct{ Text string }
		own  string
	}{"\a", []struct{ Text string }{{"\x1b"}}, "x"}
	CleanFields(&v)
	expect.Equal(t, []string{v.Name, v.List[0].Text, v.own}, []string{"?", "?", "x"})
}

func TestJSONErrorsAreSentences(t *testing.T) {
	type inner struct {
		Engine string    `json:"engine"`
		Keys   int       `json:"keys"`
		Rates  []float64 `json:"rates"`
		On     bool      `json:"on"`
	}
	type Outer struct {
		Config *struct {
			Search inner `json:"search"`
		} `json:"config"`
		All []inner `json:"all"`
	}
	type document struct{ Outer }
	for text, want := range map[string]string{
		`{"config":{"search":{"engine":3}}}`:      "config.search.engine must be a text, not a number",
		`{"config":{"search":{"keys":1.5}}}`:      "config.search.keys must be a whole number in range, not 1.5",
		`{"config":{"search":{"keys":"x"}}}`:      "config.search.keys must be a whole number in range, not a text",
		`{"config":{"search":{"rates":{}}}}`:      "config.search.rates must be a list, not an object",
		`{"config":{"search":{"rates":[1e999]}}}`: "config.search.rates must be a number in range, not 1e999",
		`{"config":{"search":{"on":[]}}}`:         "config.search.on must be true or false, not a list",
		`{"config":7}`:                            "config must be an object, not a number",
		`{"all":[{"keys":false}]}`:                "all.keys must be a whole number in range, not true or false",
		`[]`:                                      "the value must be an object, not a list",
		"{\n\n\"config\": x}":                     "line 3 is no JSON: the text is damaged or cut off",
		"{\n\"config\": {":                        "line 2 is no JSON: the text is damaged or cut off",
		"\x00\x00":                                "line 1 is no JSON: the text is damaged or cut off",
		"":                                        "line 1 is no JSON: the text is damaged or cut off",
		`{} {}`:                                   "line 1 is no JSON: the text is damaged or cut off",
	} {
		err := DecodeJSON(CleanJSON([]byte(text)), new(document))
		expect.That(t, err != nil && err.Error() == want, "%s: %v, want %s", text, err, want)
	}
}

func TestJSONIsCleaned(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\t\"a\": [1, 1e3]}":    "{\n\t\"a\": [1, 1e3]}",
		`{"a\u001b":"\u001b[31m"}`: `{"a?":"?[31m"}`,
		"[\"\u202e\", 1.50]":       `["?",1.50]`,
		`["\n\" \\"]`:              `[" \" \\"]`,
		`{"a":"\u001b"} x`:         `{"a":"\u001b"} x`,
	} {
		expect.Equal(t, string(CleanJSON([]byte(text))), want, text)
	}
}

// An interruption ends the wait for a pipe without a writer and for a pipe without bytes.
func TestInterruptionEndsTheWaitForAPipe(t *testing.T) {
	pipe := expect.Pipe(t)
	stop := errors.New("stopped by the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	expect.That(t, errors.Is(expect.Err(Open(ctx, pipe)), stop), "an open without a writer is not interrupted")
	both := expect.Value(os.OpenFile(pipe, os.O_RDWR, 0))(t) // a writer that never writes
	defer both.Close()
	ctx, cancel = context.WithCancelCause(t.Context())
	f := expect.Value(Open(ctx, pipe))(t)
	cancel(stop)
	expect.That(t, errors.Is(expect.Err(f.Read(make([]byte, 1))), stop), "a read without bytes is not interrupted")
	expect.NoError(t, f.Close())
}

func TestStandardInputIsReadOnce(t *testing.T) {
	expect.Set(t, &os.Stdin, expect.Value(os.Open(os.DevNull))(t))
	f := expect.Value(Open(t.Context(), "/dev/stdin"))(t)
	expect.Error(t, expect.Err(Open(t.Context(), "/dev/fd/0")), "only once: save it to")
	_ = f.Close()
	expect.Error(t, expect.Err(Open(t.Context(), "/dev/stdin")), "only once: save it to")
}
