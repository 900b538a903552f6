// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Starter is a launcher: the environment variables of its tasks, and its commands for the ranks of a program built with
// Open MPI, or with MPICH or a library derived from MPICH; "" if it starts no ranks of that library.
type Starter struct {
	Name           string
	Command        string // without options, "" if unknown
	Size, Rank     string // variables of the numbers of tasks and of the task; Size may be missing
	OpenMPI, MPICH string // commands
}

// Starters returns all known launchers, the innermost first: tasks of Flux, jsrun and Hydra may have variables of a job
// step of Slurm. Only a job step has SLURM_STEP_NUM_TASKS; an allocation (sbatch, salloc) sets SLURM_NTASKS, too.
func Starters() []Starter {
	return []Starter{
		{"mpirun", "mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpirun --bind-to none", ""}, // Open MPI 4 and 5
		{"flux run", "flux run", "FLUX_JOB_SIZE", "FLUX_TASK_RANK", "flux run -o pmi=pmix", "flux run -o pmi=simple"},
		{"jsrun", "jsrun", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_RANK", "jsrun", ""},
		{"mpiexec of PALS", "mpiexec", "PMI_SIZE", "PALS_RANKID", "mpiexec --pmi=pmix", "mpiexec --pmi=cray"},
		{"mpiexec of Hydra", "mpiexec", "PMI_SIZE", "MPI_LOCALRANKID", "", "mpiexec"}, // MPICH, Intel MPI
		{"mpirun_rsh", "mpirun_rsh", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "", "mpirun_rsh"},
		{"srun", "srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun --mpi=pmix", "srun --mpi=pmi2"},
		{"a PMI launcher", "", "PMI_SIZE", "PMI_RANK", "", "mpiexec"}, // PMI-1 or PMI-2
		{"a PMIx launcher", "", "", "PMIX_RANK", "prterun", ""},
	}
}

// Launch is the start of a process: by a launcher, or with the name "" and one task by hand.
type Launch struct {
	Starter
	Tasks   int  // started as one job
	AtLeast bool // Tasks is a lower bound, because the launcher gives no number
	env     environ
	family  string // of this program's MPI library, "" without one; tests set others
	root    bool   // the user is root
}

// Launched describes how this process was started. It only reads the environment.
func Launched() Launch {
	l := environ(os.Environ()).launch()
	l.family, l.root = family, os.Geteuid() == 0
	return l
}

// environ has the variables of a process, as os.Environ returns them.
type environ []string

func (e environ) get(name string) string {
	for _, variable := range e {
		if value, is := strings.CutPrefix(variable, name+"="); is {
			return value
		}
	}
	return ""
}

// has reports whether the name of a variable begins with one of the prefixes.
func (e environ) has(prefixes ...string) bool {
	return slices.ContainsFunc(e, func(variable string) bool {
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(variable, prefix) })
	})
}

func (e environ) launch() Launch {
	for _, s := range Starters() {
		rank, err := strconv.Atoi(e.get(s.Rank))
		if err != nil {
			continue
		}
		if tasks, err := strconv.Atoi(e.get(s.Size)); err == nil {
			return Launch{Starter: s, Tasks: tasks, env: e}
		}
		// SLURM_PROCID and others without a number of tasks may be of a process outside these tasks.
		if strings.HasPrefix(s.Rank, "PMIX") || strings.HasPrefix(s.Rank, "PALS") {
			return Launch{Starter: s, Tasks: rank + 1, AtLeast: true, env: e}
		}
	}
	return Launch{Tasks: 1}
}

// copies describes the tasks, such as "srun started 4 copies of this program".
func (l Launch) copies() string {
	least := ""
	if l.AtLeast {
		least = "at least "
	}
	return fmt.Sprintf("%s started %s%d copies of this program", l.Name, least, l.Tasks)
}

// Refusal returns the reason why this program's MPI library cannot join the tasks as ranks, nil if it can. It does not
// start the library: Open MPI would end the process.
func (l Launch) Refusal() error {
	switch {
	case l.family == "":
		return fmt.Errorf("comm: %s, which was built without MPI: each would run the whole job; rebuild it with "+
			"\"make MPI=1\", or start one copy", l.copies())
	case l.joins():
		return nil
	}
	needs := map[string]string{openMPI: "PMIx", mpich: "PMI"}[l.family]
	return fmt.Errorf("comm: %s without %s, by which %s joins them: use %s", l.copies(), needs, l.family, l.cure())
}

// Families of MPI libraries.
const openMPI, mpich = "Open MPI", "MPICH"

// joins reports whether the library finds its process manager. MPICH can use Slurm's own PMI-1, which sets no variable.
func (l Launch) joins() bool {
	switch l.family {
	case openMPI:
		return l.env.has("PMIX_", "OMPI_COMM_WORLD_")
	case mpich:
		return l.Name == "srun" || l.env.has("PMIX_", "PMI_", "PMI2_", "MV2_")
	}
	return false
}

// cure returns the commands that start ranks of a library: the launcher's with its option, and its own.
func (l Launch) cure() string {
	own := map[string]string{openMPI: "the mpirun of Open MPI", mpich: "the mpiexec of MPICH"}[l.family]
	if command := l.command(); strings.Contains(command, "-") {
		return command + ", or " + own
	}
	return own
}

// command returns the launcher's command for the library, "" if it has none.
func (l Launch) command() string {
	return map[string]string{openMPI: l.OpenMPI, mpich: l.MPICH}[l.family]
}

// Again returns the beginning of a command line by which the same launcher starts that number of ranks, with the
// options that the environment shows, not the hosts of mpirun; "" if this process was started by hand or by an unknown
// launcher.
func (l Launch) Again(ranks int) string {
	command := l.command()
	if !l.joins() || l.Name == "mpirun" {
		command = l.Command
	}
	if command == "" || l.Command == "" {
		return ""
	}
	command = fmt.Sprintf("%s -n %d ", command, ranks)
	add := func(of string, needed bool, option string) {
		if l.Name == of && needed {
			command += option + " "
		}
	}
	cpus := l.env.get("SLURM_CPUS_PER_TASK")
	bind, by := l.env.get("OMPI_MCA_hwloc_base_binding_policy"), l.env.get("OMPI_MCA_rmaps_base_mapping_policy")
	slots, err := strconv.Atoi(l.env.get("OMPI_UNIVERSE_SIZE"))
	perNode := l.env.get("OMPI_MCA_rmaps_ppr_n_pernode")
	add("srun", cpus != "", "--cpus-per-task="+cpus)
	add("mpirun", bind != "" || !l.env.has("OMPI_MCA_orte_bound_at_launch="), "--bind-to "+cmp.Or(bind, "none"))
	add("mpirun", by != "", "--map-by "+by)
	add("mpirun", perNode != "", "-N "+perNode)
	add("mpirun", err == nil && ranks > slots || l.env.has("OMPI_MCA_rmaps_base_oversubscribe=1"), "--oversubscribe")
	add("mpirun", l.root, "--allow-run-as-root")
	return command
}

// Awaited reports whether other tasks may wait in MPI_Init for this process, which has not started MPI: a launcher
// started it as one of several ranks. A process of a script in a task is not awaited: the script may start another one.
func (l Launch) Awaited() bool {
	if l.Tasks < 2 || l.AtLeast || mpiStarted() || l.Refusal() != nil {
		return false
	}
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", os.Getppid())) // unreadable: the launcher of another user
	return environ(strings.Split(string(text), "\x00")).get(l.Rank) == ""
}
