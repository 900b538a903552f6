//go:build mpi && !mpich && cgo

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Tasks that Open MPI would end with misleading advice are refused before it starts, and one such task runs without
// MPI. No task of several runs the whole job.
func TestMPIRefusesForeignLaunchers(t *testing.T) {
	const step = "SLURM_JOB_ID=7 SLURM_STEP_ID=0 SLURM_JOBID=7 SLURM_STEPID=0 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS="
	short := "run --engine cpu --scale 6 --keys 2"
	for _, c := range []struct{ environ, command, want string }{
		{step + "2", short, "use srun --mpi=pmix"},
		{step + "2", "doctor", "use srun --mpi=pmix"},
		{step + "1", short, "VALID"},
		{step + "2 PMI_FD=3 PMI_RANK=0 PMI_SIZE=2", short, "use srun --mpi=pmix"},
		{step + "1 PMI_FD=3 PMI_RANK=0 PMI_SIZE=1", short, "VALID"},
		{"PMI_RANK=1 PMI_SIZE=16", short, "use the mpirun of Open MPI"},
		{"FLUX_TASK_RANK=1 FLUX_JOB_SIZE=16 FLUX_JOB_ID=f1", short, "use flux run -o pmi=pmix"},
		{"JSM_NAMESPACE_RANK=1 JSM_NAMESPACE_SIZE=4", short, "use the mpirun of Open MPI"},
		{"PALS_RANKID=1", short, "at least 2 copies"},
	} {
		run := exec.Command(os.Args[0], strings.Fields(c.command)...)
		run.Env = append(append(os.Environ(), "G500_TEST_AS_PROGRAM=1"), strings.Fields(c.environ)...)
		out, err := run.CombinedOutput()
		if (err == nil) != (c.want == "VALID") || !strings.Contains(lastLine(string(out)), c.want) {
			t.Errorf("%s with %s: %v, and no %q in\n%s", c.command, c.environ, err, c.want, out)
		}
	}
}
