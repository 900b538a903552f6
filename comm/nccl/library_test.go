// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package nccl

import (
	"os"
	"strings"
	"testing"

	"g500/internal/expect"
)

// A library that is missing, too old, or another one, gives an error with the cure.
func TestOpenRefusals(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"no file":     {t.TempDir() + "/libnccl.so.2", "nccl: NCCL is not found ("},
		"no function": {fake(t, "-DWITHOUT_SEND"), "has no function ncclSend): "},
		"old":         {fake(t, "-DVERSION=21304"), "has the version number 21304, older than NCCL 2.14: "},
		"very old":    {fake(t, "-DVERSION=2708"), "has the version number 2708, older than NCCL 2.14: "},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := open(c.file)
			expect.That(t, err != nil && strings.Contains(err.Error(), c.want) && strings.Contains(err.Error(), cure),
				"the error is %v, want one with %q and the cure", err, c.want)
		})
	}
}

// Find loads the library of the environment variable, after it has disabled multicast.
func TestFind(t *testing.T) {
	file := fake(t)
	t.Setenv(FileVariable, file)
	t.Setenv(multicastVariable, "")
	l, err := Find()
	expect.Must(t, err == nil && l.File() == file, "the library is %v, %v; want %s", l, err, file)
	expect.Equal(t, l.String(), "NCCL 2.21.5", "the library")
	expect.Equal(t, os.Getenv(multicastVariable), "0", multicastVariable)
	expect.Equal(t, expect.Value(Find())(t), l, "the library of the second call")
}
