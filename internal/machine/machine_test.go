package machine

import (
	"runtime"
	"testing"
)

func TestMemoryIsPlausible(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("memory is read on Linux only")
	}
	total, available := Memory()
	if total < 64<<20 || available <= 0 || available > total {
		t.Errorf("total %d, available %d bytes", total, available)
	}
}

func TestFieldsOfProc(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc is Linux's")
	}
	if got := field("/proc/self/status", "Name"); got == "" {
		t.Error("no Name in /proc/self/status")
	}
	if got := field("/proc/self/status", "NoSuchField"); got != "" {
		t.Errorf("found %q under a name that is not there", got)
	}
}
