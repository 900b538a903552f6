//go:build cgo

package nccl

import (
	"os"
	"strings"
	"testing"
)

func TestOpen(t *testing.T) {
	l, err := open(fake(t))
	if err != nil {
		t.Fatal(err)
	}
	if l.String() != "NCCL 2.21.5" {
		t.Errorf("the library is %q, want NCCL 2.21.5", l)
	}
}

// A library that is missing, or too old, or not what it is called, is refused with what to do.
func TestOpenRefusals(t *testing.T) {
	for what, c := range map[string]struct{ file, want string }{
		"no file":     {t.TempDir() + "/libnccl.so.2", "nccl: NCCL is not found ("},
		"no function": {fake(t, "-DWITHOUT_SEND"), "has no function ncclSend: "},
		"old":         {fake(t, "-DVERSION=21304"), "is NCCL of number 21304, which is older than 2.14: "},
		"very old":    {fake(t, "-DVERSION=2708"), "is NCCL of number 2708, which is older than 2.14: "},
	} {
		t.Run(what, func(t *testing.T) {
			_, err := open(c.file)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), cure) {
				t.Errorf("the error is %v, want one with %q and the cure", err, c.want)
			}
		})
	}
}

// The library is what the environment names, and multicast is out before it is loaded.
func TestFind(t *testing.T) {
	file := fake(t)
	t.Setenv(FileVariable, file)
	t.Setenv(multicastVariable, "")
	l, err := Find()
	if err != nil || l.File() != file {
		t.Fatalf("the library is %v, %v; want that of %s", l, err, file)
	}
	if os.Getenv(multicastVariable) != "0" {
		t.Errorf("%s is %q, want 0", multicastVariable, os.Getenv(multicastVariable))
	}
	if again, err := Find(); again != l || err != nil {
		t.Errorf("the second time it is %v, %v", again, err)
	}
}
