package main

import (
	"os/exec"
	"strings"
	"testing"
)

// A step that the machine does not allow is skipped by developers and fails in CI, unless CI allows the skip.
func TestForbiddenStepFailsInCI(t *testing.T) {
	for _, c := range []struct {
		ci, allowed string
		passes      bool
	}{
		{"", "", true},
		{"true", "", false},
		{"true", "another", false},
		{"true", "another\nseveral nodes", true},
	} {
		steps := exec.Command("bash", "-euo", "pipefail", "-c",
			`. ../../scripts/steps.sh; step "several nodes" sh -c "exit 77"; step after true; finish`)
		steps.Env = append(steps.Environ(), "CI="+c.ci, "ALLOWED_SKIPS="+c.allowed, "STEPS=")
		out, err := steps.CombinedOutput()
		if (err == nil) != c.passes || !strings.Contains(string(out), "1 passed") {
			t.Errorf("%+v ends with %v\n%s", c, err, out)
		}
	}
}

// The outermost script counts and names each step that nested scripts have skipped, once.
func TestNestedSkipsAreCounted(t *testing.T) {
	inner := `. ../../scripts/steps.sh; step works true; skip "GPU tests" "there is none"; finish`
	steps := exec.Command("bash", "-euo", "pipefail", "-c", `. ../../scripts/steps.sh
		step one bash -euo pipefail -c '`+inner+`'
		step two bash -euo pipefail -c '`+inner+`'
		step three bash -c 'echo "Go test x: no core" >>"$STEPS_SKIPS"'
		skip "MPI tests" "no mpirun"
		finish; [ ! -e "$STEPS_SKIPS" ]`)
	steps.Env = append(steps.Environ(), "CI=", "STEPS=")
	out, err := steps.CombinedOutput()
	_, end, _ := strings.Cut(string(out), "--- SKIPPED: MPI tests: no mpirun\n")
	want := "SKIPPED: MPI tests\nSKIPPED: GPU tests\nSKIPPED: Go test x: no core\n3 passed, 0 failed, 3 SKIPPED, in 0 min "
	if err != nil || !strings.HasPrefix(end, want) {
		t.Errorf("%v\n%s", err, out)
	}
}

// Go splits flags at spaces, and the folder of the sources may have a space in its name.
func TestFlagsForCUDAKeepFoldersWhole(t *testing.T) {
	root := t.TempDir() + "/a folder"
	toolkit := root + "/cuda 12"
	build := exec.Command("bash", "-euc", `
		mkdir -p "$0/scripts" "$1/bin" "$1/include" "$1/lib64"
		cp ../../scripts/with-cuda.sh "$0/scripts"
		printf '#!/bin/sh\necho release 12.4\n' >"$1/bin/nvcc"
		chmod +x "$1/bin/nvcc"
		touch "$1/include/cuda_runtime.h" "$1/lib64/libcudart_static.a"
		NVCC="$1/bin/nvcc" "$0/scripts/with-cuda.sh" sh -c 'echo "$CGO_CFLAGS $CGO_LDFLAGS"'`, root, toolkit)
	out, err := build.CombinedOutput()
	for _, want := range []string{
		"'-I" + root + "/cuda/shim'", "'-I" + toolkit + "/include'", "'-L" + toolkit + "/lib64'",
	} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%v, no %s in %s", err, want, out)
		}
	}
}
