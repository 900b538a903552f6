package comm

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Launcher says how many copies of this program a launcher has started as one job, and which launcher that is;
// 1 and "" where none has. It only reads the environment.
func Launcher() (tasks int, name string) { return launcher(os.Getenv) }

// RefuseLoneCopies returns an error where a launcher has started several copies of a program built without MPI:
// each would run the whole job, and none would know of the others.
func RefuseLoneCopies() error { return refuseLoneCopies(os.Getenv, HasMPI()) }

// PMIx is the name of a launcher that Launcher returns if only PMIx's variables are set. The number of tasks is then a
// lower bound.
const PMIx = "a PMIx launcher"

// launchers are the marks that launchers leave in the environment of what they start, the surest first. An
// allocation alone (sbatch, salloc) sets SLURM_NTASKS as well, but only a step that srun starts has a number of
// tasks of its own.
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

// WithoutPMI reports whether srun started this process without a process management interface (PMI), as srun --mpi=none
// does, and the MPI library of this program needs one: MPI_Init would end the process. It only reads the environment.
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
	return fmt.Errorf("comm: %s started %d copies of this program, which was built without MPI, so that each would run "+
		"the whole job alone; rebuild it with \"make MPI=1\", or start one copy", name, tasks)
}
