// SPDX-License-Identifier: Apache-2.0

//go:build cgo && linux

package dynlib

import (
	"testing"
	"unsafe"

	"g500/internal/expect"
)

const libc = "libc.so.6"

func TestLoad(t *testing.T) {
	table, err := Load[struct{ get, put unsafe.Pointer }](libc, "getenv", "setenv")
	expect.That(t, err == nil && table.get != nil && table.put != nil && table.get != table.put,
		"the functions are at %v, %v", table, err)
}

func TestMissing(t *testing.T) {
	expect.Error(t, expect.Err(Load[[1]unsafe.Pointer]("/nowhere/"+libc, "getenv")), "/nowhere/"+libc, "no file")
	missing := expect.Err(Load[[2]unsafe.Pointer](libc, "getenv", "no_such_function"))
	expect.Error(t, missing, libc+" has no function no_such_function", "no function")
	expect.Error(t, expect.Err(Load[[3]unsafe.Pointer](libc, "getenv", "setenv")), "2 names for the 3 function pointers")
}
