package main

import (
	"fmt"

	"g500/bench"
	"g500/comm"
	"g500/internal/machine"
)

// launcher chooses how ranks are started: by MPI under mpirun or srun, else as goroutines of this process.
func launcher(m bench.MachineConfig) (launch func(func(comm.Transport) error) error, name string, err error) {
	if err := comm.RefuseLoneCopies(); err != nil {
		return nil, "", err
	}
	tasks, starter := comm.Launcher()
	if m.Transport == "mpi" || m.Transport == "auto" && starter != "" && comm.HasMPI() {
		return comm.MPI, "mpi", nil
	}
	if tasks > 1 {
		return nil, "", fmt.Errorf("%s started %d tasks, but --transport loopback makes its ranks in one process: "+
			"start one task, or use --transport mpi", starter, tasks)
	}
	return func(rank func(comm.Transport) error) error { return comm.Loopback(m.Ranks, rank) }, "loopback", nil
}

// startedBy is what a command line begins with that starts as many ranks by the launcher that started these; "" where
// none did.
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

// threadsPerRank is the number of worker threads: as asked, or this rank's share of the host's cores.
func threadsPerRank(m bench.MachineConfig, t comm.Transport) int {
	if m.Threads > 0 {
		return m.Threads
	}
	_, onHost := comm.Place(t)
	return max(machine.Cores()/onHost, 1)
}
