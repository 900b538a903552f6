// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"g500/internal/expect"
)

// launches has the variables of tasks as launchers set them: as seen of mpirun, srun and Hydra, else from documents.
var launches = []struct {
	meaning, environ, launcher string
	tasks                      int
	openMPI, mpich             string // end of the refusal of that library, "" if it joins the tasks
}{
	{"started by hand", "HOME=/root", "", 1, "", ""},
	{"mpirun", "OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0 PMIX_RANK=0", "mpirun", 4, "", ""},
	{"mpirun in a job step", "OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0 SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0",
		"mpirun", 4, "", "without PMI, by which MPICH joins them: use the mpiexec of MPICH"},
	{"srun --mpi=none", "SLURM_JOB_ID=7 SLURM_STEP_NUM_TASKS=8 SLURM_PROCID=7 SLURM_NTASKS=9", "srun", 8,
		"without PMIx, by which Open MPI joins them: use srun --mpi=pmix, or the mpirun of Open MPI", ""},
	{"srun --mpi=pmi2", "SLURM_STEP_NUM_TASKS=8 SLURM_PROCID=7 PMI_FD=3 PMI_RANK=7 PMI_SIZE=8", "srun", 8,
		"without PMIx, by which Open MPI joins them: use srun --mpi=pmix, or the mpirun of Open MPI", ""},
	{"srun --mpi=pmix", "SLURM_STEP_NUM_TASKS=8 SLURM_PROCID=7 PMIX_RANK=7", "srun", 8, "", ""},
	{"srun of one task", "SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 SLURM_NTASKS=8 PMIX_RANK=0", "srun", 1, "", ""},
	{"a batch file", "SLURM_NTASKS=8 SLURM_PROCID=0 SLURM_JOB_ID=1", "", 1, "", ""},
	{"flux run", "FLUX_JOB_SIZE=16 FLUX_TASK_RANK=1 PMI_RANK=1 PMI_SIZE=16 PMI_FD=5", "flux run", 16,
		"use flux run -o pmi=pmix, or the mpirun of Open MPI", ""},
	{"flux run in a job step", "FLUX_JOB_SIZE=16 FLUX_TASK_RANK=1 SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0", "flux run", 16,
		"use flux run -o pmi=pmix, or the mpirun of Open MPI", "use flux run -o pmi=simple, or the mpiexec of MPICH"},
	{"jsrun", "JSM_NAMESPACE_SIZE=4 JSM_NAMESPACE_RANK=1 PMIX_RANK=1", "jsrun", 4, "", ""},
	{"jsrun without PMIx", "JSM_NAMESPACE_SIZE=4 JSM_NAMESPACE_RANK=1", "jsrun", 4,
		"use the mpirun of Open MPI", "use the mpiexec of MPICH"},
	{"PALS", "PALS_RANKID=2 PMI_RANK=2 PMI_SIZE=4", "mpiexec of PALS", 4,
		"use mpiexec --pmi=pmix, or the mpirun of Open MPI", ""},
	{"PALS without PMI", "PALS_RANKID=2", "mpiexec of PALS", -3,
		"started at least 3 copies of this program without PMIx, by which Open MPI joins them: use mpiexec --pmi=pmix, " +
			"or the mpirun of Open MPI", "use mpiexec --pmi=cray, or the mpiexec of MPICH"},
	{"Hydra in an allocation", "PMI_SIZE=8 PMI_RANK=2 MPI_LOCALRANKID=1 SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0",
		"mpiexec of Hydra", 8, "use the mpirun of Open MPI", ""},
	{"MVAPICH2", "MV2_COMM_WORLD_SIZE=3 MV2_COMM_WORLD_RANK=2", "mpirun_rsh", 3, "use the mpirun of Open MPI", ""},
	{"PMI-1 or PMI-2", "PMI_RANK=1 PMI_SIZE=16", "a PMI launcher", 16,
		"a PMI launcher started 16 copies of this program without PMIx, by which Open MPI joins them: " +
			"use the mpirun of Open MPI", ""},
	{"PMIx", "PMIX_RANK=2", "a PMIx launcher", -3, "", ""},
	{"not a number", "OMPI_COMM_WORLD_SIZE=many OMPI_COMM_WORLD_RANK=0", "", 1, "", ""},
}

func TestLaunchers(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range launches {
		l := environ(strings.Fields(c.environ)).launch()
		tested[l.Name] = true
		tasks := l.Tasks
		if l.AtLeast {
			tasks = -tasks
		}
		expect.That(t, l.Name == c.launcher && tasks == c.tasks,
			"%s: %q, %d tasks, at least %v; want %q, %d", c.meaning, l.Name, l.Tasks, l.AtLeast, c.launcher, c.tasks)
		if l.Name == "" {
			continue
		}
		number := fmt.Sprintf("%d copies", max(c.tasks, -c.tasks))
		if c.tasks < 0 {
			number = "at least " + number
		}
		for family, want := range map[string]string{openMPI: c.openMPI, mpich: c.mpich, "": "or start one copy"} {
			l.family = family
			err := l.Refusal()
			expect.That(t, (err == nil) == (want == "") &&
				(err == nil || strings.HasSuffix(err.Error(), want) &&
					strings.HasPrefix(err.Error(), "comm: "+c.launcher+" started "+number)),
				"%s, library %q: %v, want %q", c.meaning, family, err, want)
		}
	}
	for _, s := range Starters() {
		expect.That(t, tested[s.Name], "no case of %s", s.Name)
	}
}

// The advice to start ranks again has the same launcher, with the options that the library and the cores need.
func TestLaunchedAgain(t *testing.T) {
	for _, c := range []struct{ environ, openMPI, mpich string }{ // mpich is "" if it is the same
		{"HOME=/root", "", ""},
		{"OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=0 OMPI_UNIVERSE_SIZE=3 OMPI_MCA_rmaps_ppr_n_pernode=2",
			"mpirun -n 3 --bind-to none -N 2 --allow-run-as-root ", ""},
		{"OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=0 OMPI_UNIVERSE_SIZE=2 OMPI_MCA_orte_bound_at_launch=1",
			"mpirun -n 3 --oversubscribe --allow-run-as-root ", ""},
		{"OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=0 OMPI_MCA_rmaps_base_mapping_policy=slot:PE=2 " +
			"OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=core",
			"mpirun -n 3 --bind-to core --map-by slot:PE=2 --oversubscribe --allow-run-as-root ", ""},
		{"PMI_SIZE=3 PMI_RANK=0 MPI_LOCALRANKID=0", "mpiexec -n 3 ", ""},
		{"SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=0 PMIX_RANK=0 SLURM_CPUS_PER_TASK=4",
			"srun --mpi=pmix -n 3 --cpus-per-task=4 ", "srun --mpi=pmi2 -n 3 --cpus-per-task=4 "},
		{"SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0", "srun -n 3 ", "srun --mpi=pmi2 -n 3 "},
		{"FLUX_JOB_SIZE=3 FLUX_TASK_RANK=1 PMIX_RANK=1", "flux run -o pmi=pmix -n 3 ", "flux run -o pmi=simple -n 3 "},
		{"PMIX_RANK=1", "", ""},
	} {
		l := environ(strings.Fields(c.environ)).launch()
		l.root = true
		for family, want := range map[string]string{openMPI: c.openMPI, mpich: cmp.Or(c.mpich, c.openMPI)} {
			l.family = family
			expect.Equal(t, l.Again(3), want, c.environ, "library", l.family)
		}
	}
}

// The texts of Open MPI and MPICH are their own; the others are from documents, shortened.
func TestLibraryName(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, May 26, 2022", "Open MPI v4.1.4"},
		{"MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022", "MPICH 4.0.2"},
		{"MVAPICH2 Version      :\t2.3.7\nMVAPICH2 Release date :\tWed March 02", "MVAPICH2 2.3.7"},
		{"MPI VERSION    : CRAY MPICH version 8.1.25.17 (ANL base 3.4a2)\n", "CRAY MPICH 8.1.25.17 (ANL base 3.4a2)"},
		{"Intel(R) MPI Library 2021.5 for Linux* OS\n", "Intel(R) MPI Library 2021.5 for Linux* OS"},
		{"", ""},
	} {
		expect.Equal(t, libraryName(c.text), c.want, "libraryName", c.text)
	}
}

// Some libraries are CUDA-aware if a variable of the environment is set.
func TestSetCUDAAware(t *testing.T) {
	for name, want := range map[string]bool{
		"MPICH_GPU_SUPPORT_ENABLED=1": true, "MPICH_GPU_SUPPORT_ENABLED=0": false,
		"MV2_USE_CUDA=1": true, "MV2_USE_CUDA=": false, "MV2_USE_GPU=1": false,
	} {
		getenv := func(variable string) string {
			if value, is := strings.CutPrefix(name, variable+"="); is {
				return value
			}
			return ""
		}
		expect.Equal(t, setCUDAAware(getenv), want, name)
	}
}

// choices has the settings and starts of programs with the chosen transport, or the error.
var choices = []struct {
	environ, family, setting string
	ranks                    int
	want                     string
}{
	{"", openMPI, AutoTransport, 1024, "loopback"},
	{"", openMPI, AutoTransport, 1025, "1025 ranks are too many for one process: start them by mpirun or srun"},
	{"", openMPI, "mpi", 1, "mpi"},
	{"OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0 PMIX_RANK=0", openMPI, AutoTransport, 1, "mpi"},
	{"OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0 PMIX_RANK=0", openMPI, "loopback", 1,
		"mpirun started 4 tasks, but --transport loopback makes its ranks in one process: start one task, or use " +
			"--transport mpi"},
	{"OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0", mpich, AutoTransport, 1, "comm: mpirun started 4 copies"},
	{"OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0", mpich, AutoTransport, 3, "loopback"},
}

// Each transport is chosen by its name, and some of them without.
func TestChosenTransports(t *testing.T) {
	chosen := map[string]bool{}
	for _, c := range choices {
		l := environ(strings.Fields(c.environ)).launch()
		l.family = c.family
		h, err := l.Choose(c.setting, c.ranks)
		got := h.Name
		if err != nil {
			got = err.Error()
		}
		expect.That(t, strings.HasPrefix(got, c.want),
			"%q, --transport %s, %d ranks: %s, want %s", c.environ, c.setting, c.ranks, got, c.want)
		chosen[got] = true
	}
	for _, h := range HostTransports {
		named := TransportNamed(h.Name)
		expect.That(t, chosen[h.Name] && named != nil && named.Name == h.Name && h.Start != nil, "no case chooses %s", h.Name)
	}
}
