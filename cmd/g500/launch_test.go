package main

import "testing"

// The advice to resume a run starts the same number of ranks by the same launcher.
func TestStartedByTheSameLauncher(t *testing.T) {
	for _, c := range []struct{ size, rank, want string }{
		{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpirun -n 3 --bind-to none "},
		{"PMI_SIZE", "PMI_RANK", "mpiexec -n 3 "},
		{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun -n 3 --cpus-per-task=... "},
	} {
		t.Run(c.size, func(t *testing.T) {
			t.Setenv(c.size, "3")
			t.Setenv(c.rank, "0")
			if got := startedBy(3); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
