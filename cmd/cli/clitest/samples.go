// SPDX-License-Identifier: Apache-2.0

package clitest

import (
	"regexp"
	"strings"
	"testing"

	"g500/internal/expect"
)

// Figure matches measured figures of a sample, which differ from run to run.
var Figure = regexp.MustCompile(`[0-9][0-9.]*(e[+-][0-9]+)?( [GMkmun]?(TEPS|s)\b)?|, search key .*`)

// Part returns the text between two lines of a document.
func Part(t *testing.T, file, text, from, to string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, from)
	sample, _, closed := strings.Cut(rest, to)
	if !found || !closed {
		t.Fatalf("%s has nothing between %q and %q", file, from, to)
	}
	return sample
}

// Keep compares a part of a document with the output of the program, or with -update replaces it. mask hides
// differences that do not count.
func Keep(t *testing.T, file, from, to, got string, mask func(string) string) {
	t.Helper()
	text := expect.Read(t, file)
	old := Part(t, file, text, from, to)
	if mask(old) == mask(got) {
		return
	}
	if !expect.Updating() {
		t.Fatalf("%s is not what the program says (make golden rewrites it):\n%s\nbut the program says\n%s", file, old, got)
	}
	expect.Write(t, file, strings.Replace(text, from+old+to, from+got+to, 1))
}
