package comm

import (
	"strings"
	"testing"
)

func TestLauncher(t *testing.T) {
	for _, c := range []struct {
		name     string
		env      map[string]string
		tasks    int
		launcher string
	}{
		{"started by hand", nil, 1, ""},
		{"mpirun", map[string]string{"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "0", "PMIX_RANK": "0"},
			4, "mpirun"},
		{"mpirun of one rank", map[string]string{"OMPI_COMM_WORLD_SIZE": "1", "OMPI_COMM_WORLD_RANK": "0"}, 1, "mpirun"},
		{"mpirun in an allocation", map[string]string{
			"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "0", "SLURM_STEP_NUM_TASKS": "2", "SLURM_PROCID": "0",
		}, 4, "mpirun"},
		{"srun", map[string]string{"SLURM_STEP_NUM_TASKS": "8", "SLURM_PROCID": "7", "SLURM_NTASKS": "8"}, 8, "srun"},
		{"srun of fewer tasks than the allocation", map[string]string{
			"SLURM_STEP_NUM_TASKS": "1", "SLURM_PROCID": "0", "SLURM_NTASKS": "8",
		}, 1, "srun"},
		{"in a batch script, outside any step", map[string]string{
			"SLURM_NTASKS": "8", "SLURM_PROCID": "0", "SLURM_JOB_ID": "1",
		}, 1, ""},
		{"MPICH", map[string]string{"PMI_SIZE": "3", "PMI_RANK": "2"}, 3, "mpiexec"},
		{"MVAPICH2", map[string]string{"MV2_COMM_WORLD_SIZE": "3", "MV2_COMM_WORLD_RANK": "2"}, 3, "mpirun_rsh"},
		{"PMIx gives no number of tasks", map[string]string{"PMIX_RANK": "2"}, 3, "a PMIx launcher"},
		{"not a number", map[string]string{"OMPI_COMM_WORLD_SIZE": "many", "OMPI_COMM_WORLD_RANK": "0"}, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tasks, name := launcher(func(key string) string { return c.env[key] })
			if tasks != c.tasks || name != c.launcher {
				t.Errorf("launcher returns %d, %q, want %d, %q", tasks, name, c.tasks, c.launcher)
			}
		})
	}
}

func TestRefuseLoneCopies(t *testing.T) {
	four := func(key string) string {
		return map[string]string{"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "0"}[key]
	}
	err := refuseLoneCopies(four, false)
	if err == nil {
		t.Fatal("four copies without MPI are accepted")
	}
	for _, want := range []string{"mpirun started 4 copies", "make MPI=1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error %q does not have %q", err, want)
		}
	}
	if err := refuseLoneCopies(four, true); err != nil {
		t.Errorf("four ranks with MPI are refused: %v", err)
	}
	if err := refuseLoneCopies(func(string) string { return "" }, false); err != nil {
		t.Errorf("a program started by hand is refused: %v", err)
	}
}

// srun sets the variables of its process management interface. A batch file is not a task.
func TestSrunWithoutPMI(t *testing.T) {
	step := []string{"HOME=/root", "SLURM_JOB_ID=7", "SLURM_STEP_NUM_TASKS=4", "SLURM_PROCID=0"}
	for _, c := range []struct {
		meaning string
		environ []string
		want    bool
	}{
		{"srun --mpi=none", step, true},
		{"srun --mpi=pmix", append(step[:len(step):len(step)], "PMIX_RANK=0"), false},
		{"srun --mpi=pmi2", append(step[:len(step):len(step)], "PMI_FD=3"), false},
		{"mpirun in a step", append(step[:len(step):len(step)], "OMPI_COMM_WORLD_SIZE=4"), false},
		{"a batch file", []string{"SLURM_JOB_ID=7", "SLURM_NTASKS=4", "SLURM_PROCID=0"}, false},
		{"no Slurm", []string{"HOME=/root"}, false},
	} {
		if got := withoutPMI(c.environ); got != c.want {
			t.Errorf("%s: %v", c.meaning, got)
		}
	}
}
