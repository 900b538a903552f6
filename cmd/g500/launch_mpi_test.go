//go:build mpi && !mpich && cgo

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Several tasks of srun without --mpi=pmix are refused, before Open MPI ends them with misleading advice; one task runs
// without MPI.
func TestMPISrunWithoutPMI(t *testing.T) {
	for tasks, want := range map[string]string{"1": "VALID", "2": "use srun --mpi=pmix"} {
		run := exec.Command(os.Args[0], "run", "--engine", "cpu", "--scale", "6", "--keys", "2")
		run.Env = append(os.Environ(), "G500_TEST_AS_PROGRAM=1", "SLURM_JOB_ID=7", "SLURM_STEP_ID=0", "SLURM_JOBID=7",
			"SLURM_STEPID=0", "SLURM_STEP_NUM_TASKS="+tasks, "SLURM_PROCID=0")
		out, err := run.CombinedOutput()
		if (err == nil) != (tasks == "1") || !strings.Contains(lastLine(string(out)), want) {
			t.Errorf("%s tasks: %v, and no %q in\n%s", tasks, err, want, out)
		}
	}
}
