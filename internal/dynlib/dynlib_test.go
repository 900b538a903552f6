//go:build cgo && linux

package dynlib

import (
	"strings"
	"testing"
	"unsafe"
)

const libc = "libc.so.6"

func TestTable(t *testing.T) {
	l, err := Open(libc)
	if err != nil {
		t.Fatal(err)
	}
	table, err := Table[struct{ get, put unsafe.Pointer }](l, "getenv", "setenv")
	if err != nil || table.get != l.Find("getenv") || table.put != l.Find("setenv") || table.get == table.put {
		t.Errorf("the functions are at %v, %v", table, err)
	}
}

func TestMissing(t *testing.T) {
	if _, err := Open("/nowhere/" + libc); err == nil || !strings.Contains(err.Error(), "/nowhere/"+libc) {
		t.Errorf("no file: %v", err)
	}
	l, err := Open(libc)
	if err != nil {
		t.Fatal(err)
	}
	if at := l.Find("no_such_function"); at != nil {
		t.Errorf("a function that the library lacks is at %v", at)
	}
	_, err = Table[[2]unsafe.Pointer](l, "getenv", "no_such_function")
	if want := libc + " has no function no_such_function"; err == nil || err.Error() != want {
		t.Errorf("no function: %v, want %s", err, want)
	}
	if _, err := Table[[3]unsafe.Pointer](l, "getenv", "setenv"); err == nil {
		t.Error("a table with more pointers than names is accepted")
	}
}
