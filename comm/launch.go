package comm

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Launcher returns the number of copies of this program that a launcher has started as one job, and the launcher's
// name; 1 and "" without a launcher. It only reads the environment.
func Launcher() (tasks int, name string) { return launcher(os.Getenv) }

// RefuseLoneCopies returns an error if a launcher has started several copies of a program built without MPI, because
// each copy would run the whole job.
func RefuseLoneCopies() error { return refuseLoneCopies(os.Getenv, HasMPI()) }

// PMIx is the name that Launcher returns if only PMIx's variables are set. The number of tasks is then a lower bound.
const PMIx = "a PMIx launcher"

// launchers has the environment variables of launchers, the most reliable first. Only a job step of srun has
// SLURM_STEP_NUM_TASKS; an allocation (sbatch, salloc) sets SLURM_NTASKS, too.
var launchers = []struct{ name, size, rank string }{
	{"mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, // Open MPI 4 and 5
	{"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
	{"mpiexec", "PMI_SIZE", "PMI_RANK"},                          // of MPICH and its descendants
	{"mpirun_rsh", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"}, // of MVAPICH2
}

func launcher(getenv func(string) string) (tasks int, name string) {
	for _, l := range launchers {
		tasks, err := strconv.Atoi(getenv(l.size))
		if err == nil && getenv(l.rank) != "" {
			return tasks, l.name
		}
	}
	if rank, err := strconv.Atoi(getenv("PMIX_RANK")); err == nil {
		return rank + 1, PMIx // a lower bound: PMIx gives no number
	}
	return 1, ""
}

// WithoutPMI reports whether srun started this process without a process management interface (PMI), as with srun
// --mpi=none, and the MPI library needs one: MPI_Init would end the process. It only reads the environment.
func WithoutPMI() bool { return needsPMI && withoutPMI(os.Environ()) }

func withoutPMI(environ []string) bool {
	bySrun := false
	for _, variable := range environ {
		for _, prefix := range []string{"PMIX_", "PMI_", "PMI2_", "OMPI_COMM_WORLD_"} {
			if strings.HasPrefix(variable, prefix) {
				return false
			}
		}
		bySrun = bySrun || strings.HasPrefix(variable, "SLURM_STEP_NUM_TASKS=")
	}
	return bySrun
}

func refuseLoneCopies(getenv func(string) string, hasMPI bool) error {
	tasks, name := launcher(getenv)
	if hasMPI || tasks < 2 {
		return nil
	}
	return fmt.Errorf("comm: %s started %d copies of this program, which was built without MPI: each would run "+
		"the whole job; rebuild it with \"make MPI=1\", or start one copy", name, tasks)
}
