//go:build mpi && cgo

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"g500/comm/commtest"
)

// Under mpirun the doctor prints whether the MPI library is CUDA-aware, also for a library that reports that it is.
// Without mpirun it prints how to find out.
func TestMPIDoctorPrintsWhetherCUDAAware(t *testing.T) {
	aware := filepath.Join(t.TempDir(), "aware.so")
	out, err := exec.Command("cc", "-shared", "-fPIC", "-o", aware, "../../comm/testdata/aware.c").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	mpirun := func(command ...string) *exec.Cmd {
		return asG500(commtest.Mpirun(t.Context(), t, 1, append(command, os.Args[0], "doctor")...))
	}
	for want, doctor := range map[string]*exec.Cmd{
		"it sends from GPU memory; thread level MPI_THREAD_":               mpirun("env", "LD_PRELOAD="+aware),
		", needed is MPI_THREAD_SERIALIZED\n":                              mpirun(),
		"mpirun -n 1 g500 doctor prints whether its library is CUDA-aware": program("doctor"),
	} {
		out, err := doctor.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%v: no %q in\n%s", err, want, out)
		}
	}
}

// Under any ulimit -v that lets the libraries load, a command ends with one sentence or with success.
func TestMPIAddressSpaceInOneSentence(t *testing.T) {
	for kib := 200_000; kib <= 2_200_000; kib += 100_000 {
		run := asG500(exec.Command("sh", "-c", fmt.Sprintf("ulimit -v %d; exec \"$0\" version", kib), os.Args[0]))
		out, err := run.CombinedOutput()
		text := string(out)
		sentence := strings.Contains(text, "used up by the program itself: raise it") && strings.Count(text, "\n") == 1
		if err != nil && !sentence {
			t.Errorf("ulimit -v %d: %v\n%.2000s", kib, err, text)
		}
	}
}

// Under other limits with which Go's runtime would end with stacks, a command ends with one sentence.
func TestMPIStartsOrSaysWhy(t *testing.T) {
	for limit, want := range map[string]string{
		"ulimit -n 4":              "too few open files: raise it",
		"ulimit -d 100000":         "too little memory to start: raise it",
		"export GOMAXPROCS=100000": "set it to the number of cores",
	} {
		out, err := asG500(exec.Command("sh", "-c", limit+`; exec "$0" version`, os.Args[0])).CombinedOutput()
		if text := string(out); err == nil || !strings.Contains(text, want) || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: %v\n%.2000s", limit, err, text)
		}
	}
}
