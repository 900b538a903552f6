//go:build mpi && cgo

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"g500/comm/commtest"
)

// Under mpirun the doctor says whether the MPI library takes device memory: as it is, and as one that says that it
// does. Alone it says how to learn that.
func TestMPIDoctorSaysWhetherCUDAAware(t *testing.T) {
	aware := filepath.Join(t.TempDir(), "aware.so")
	out, err := exec.Command("cc", "-shared", "-fPIC", "-o", aware, "../../comm/testdata/aware.c").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	alone := exec.Command(program, "doctor")
	alone.Env = os.Environ()
	for want, doctor := range map[string]*exec.Cmd{
		"; its library is CUDA-aware": commtest.Mpirun(t.Context(), t, 1, "env", "LD_PRELOAD="+aware, program, "doctor"),
		"; its library is ":           commtest.Mpirun(t.Context(), t, 1, program, "doctor"),
		"mpirun -n 1 g500 doctor prints whether its library is CUDA-aware": alone,
	} {
		doctor.Env = append(doctor.Env, "G500_TEST_AS_PROGRAM=1")
		out, err := doctor.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%v: no %q in\n%s", err, want, out)
		}
	}
}
