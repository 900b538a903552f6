// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"g500/internal/expect"
)

const root = "../.."

// The generated files are made from the present policy.toml. Each of its lines is a comment or a key with its range.
func TestGeneratedFilesAreFresh(t *testing.T) {
	text := expect.Read(t, filepath.Join(root, "policy/policy.toml"))
	for i, row := range strings.Split(text, "\n") {
		expect.That(t, line.MatchString(row) || regexp.MustCompile(`^(#.*)?$`).MatchString(row),
			"policy.toml:%d is neither a comment nor key = integer # LOW to HIGH: comment: %s", i+1, row)
	}
	for path, want := range files(text) {
		is := expect.Read(t, filepath.Join(root, path))
		expect.That(t, is == want, "%s is not of this policy.toml: go generate ./policy writes it", path)
	}
}

// A key is a line of policy.toml: it becomes a member with its range in Go, and a member in C.
func TestNewKeyNeedsOnlyALine(t *testing.T) {
	all := files("toy_share = 3 # 1 to 2^20: as all shares\nsssp_toys = 4 # 0 to 2^32-1\n")
	for path, want := range map[string]string{
		"policy/policy_gen.go":     `{"toy_share", 3, 1, 1 << 20, func(p *Policy) *int64 { return &p.ToyShare }}`,
		"cuda/policy_gen.go":       "toys: C.uint32_t(p.SSSPToys)",
		"cuda/common/policy_gen.h": "#define G500_USUAL_POLICY \\\n\t3,\n",
	} {
		expect.Contains(t, all[path], want)
	}
}
