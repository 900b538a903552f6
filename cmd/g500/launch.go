package main

import (
	"fmt"

	"g500/bench"
	"g500/comm"
	"g500/internal/agreement"
	"g500/record"
)

// launcher returns a function that starts ranks: by MPI under mpirun or srun, else as goroutines of this process. It
// returns the name of the transport, too. Ranks that declare different settings end with an error.
func launcher(m record.MachineConfig, d agreement.Declaration) (
	launch func(func(comm.Transport) error) error, name string, err error,
) {
	start, name, err := launcherHere(m)
	if err != nil {
		return nil, name, err
	}
	start = agreed(d, start)
	if m.EmulateNodes == 0 {
		return start, name, nil
	}
	return func(rank func(comm.Transport) error) error {
		return start(func(t comm.Transport) error {
			emulated, err := emulateNodes(t, m.EmulateNodes)
			if err != nil {
				return comm.Agree(t, err)
			}
			return rank(emulated)
		})
	}, name, nil
}

// emulateNodes distributes ranks over n nodes, in order.
func emulateNodes(t comm.Transport, n int) (comm.Transport, error) {
	if n > t.Size() {
		return nil, fmt.Errorf("--emulate-nodes %d is more than the %d ranks: give at most as many", n, t.Size())
	}
	nodes := make([]int, t.Size())
	for r := range nodes {
		nodes[r] = r * n / len(nodes)
	}
	return comm.EmulateNodes(t, nodes), nil
}

// launcherHere is launcher without the declaration and without emulated nodes.
func launcherHere(m record.MachineConfig) (launch func(func(comm.Transport) error) error, name string, err error) {
	if err := comm.RefuseLoneCopies(); err != nil {
		return nil, "", err
	}
	tasks, starter := comm.Launcher()
	if m.Transport == "auto" && comm.WithoutPMI() {
		if tasks > 1 {
			return nil, "", fmt.Errorf("srun started %d tasks without PMI, by which Open MPI joins them: use srun --mpi=pmix "+
				"(srun --mpi=list shows whether Slurm has it), or mpirun instead of srun", tasks)
		}
		starter = "" // one task needs no MPI
	}
	if m.Transport == "mpi" || m.Transport == "auto" && starter != "" && comm.HasMPI() {
		return comm.MPI, "mpi", nil
	}
	if tasks > 1 {
		return nil, "", fmt.Errorf("%s started %d tasks, but --transport loopback makes its ranks in one process: "+
			"start one task, or use --transport mpi", starter, tasks)
	}
	return func(rank func(comm.Transport) error) error { return comm.Loopback(m.Ranks, rank) }, "loopback", nil
}

// startedBy returns the beginning of a command line that starts ranks by the launcher of this process, "" without one.
func startedBy(ranks int) string {
	switch _, name := comm.Launcher(); name {
	case "":
		return ""
	case "mpirun":
		return fmt.Sprintf("mpirun -n %d --bind-to none ", ranks)
	case "mpiexec":
		return fmt.Sprintf("mpiexec -n %d ", ranks)
	case "srun":
		return fmt.Sprintf("srun -n %d --cpus-per-task=... ", ranks)
	default:
		return fmt.Sprintf("by a launcher, on %d ranks, ", ranks)
	}
}

// threadsPerRank returns the setting of worker threads or, if it is 0, this rank's share of the node's cores. It is
// collective.
func threadsPerRank(m record.MachineConfig, t comm.Transport) (int, error) {
	share, err := bench.HostCores(t)
	if m.Threads > 0 {
		return m.Threads, err
	}
	return share, err
}
