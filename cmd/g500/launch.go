// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"g500/bench"
	"g500/cmd/cli"
	"g500/comm"
	"g500/comm/agreement"
	"g500/graph"
	"g500/internal/lists"
	"g500/internal/machine"
	"g500/internal/output"
	"g500/record"
	"g500/settings"
)

// launch calls a function for each rank, which it starts in this process or whose tasks a launcher has started.
type launch func(rank func(comm.Transport) error) error

// launcher returns the launch of ranks and their transport. Ranks that declare different settings end with an error.
func launcher(m settings.MachineConfig, d agreement.Declaration) (launch, comm.HostTransport, error) {
	transport, err := comm.Launched().Choose(m.Transport, m.Ranks)
	if err != nil {
		return nil, transport, err
	}
	return func(rank func(comm.Transport) error) error {
		return transport.Start(m.Ranks, func(t comm.Transport) (err error) {
			if err := agreement.Check(t, d); err != nil {
				return onAllRanks(cli.Misuse(err))
			}
			if m.EmulateNodes > 0 {
				if t, err = emulateNodes(t, m.EmulateNodes); err != nil {
					return comm.Agree(t, err)
				}
			}
			return rank(t)
		})
	}, transport, nil
}

// emulateNodes distributes ranks over n nodes, in order.
func emulateNodes(t comm.Transport, n int) (comm.Transport, error) {
	if n > t.Size() {
		return t, fmt.Errorf("--emulate-nodes %d is more than the %d ranks: give at most as many", n, t.Size())
	}
	nodes := make([]int, t.Size())
	for r := range nodes {
		nodes[r] = r * n / len(nodes)
	}
	return comm.EmulateNodes(t, nodes), nil
}

// joining is the time after which a process that has ended its command no longer waits for other tasks: MPI_Init takes
// more than ten seconds if a node's name resolves slowly.
const joining = 30 * time.Second

// inTasks are the commands that start ranks or, like g500 --version, end at once. Others may work in each task apart.
var inTasks = []string{"g500", "version", "run", "validate", "net", "doctor"}

// endTogether ends this process with the others of its job, and returns its exit status. If it has not started MPI, as
// after --help or a wrong flag, other tasks may wait for it in MPI_Init: it joins them, which ends the job with an
// error unless all have ended in this way. last is the error that ends it; tasks with the same one print it once.
func endTogether(args []string, status int, last string) int {
	l := comm.Launched()
	c, _, unknown := thisProgram().Complete().Find(args)
	if !l.Awaited() || unknown == nil && !slices.Contains(inTasks, c.Name()) {
		fmt.Fprint(os.Stderr, last)
		return status
	}
	var elsewhere atomic.Bool // another task prints the error
	say := sync.OnceFunc(func() {
		if !elsewhere.Load() {
			fmt.Fprint(os.Stderr, last)
		}
	})
	alone := time.AfterFunc(joining, func() {
		say()
		fmt.Fprintf(os.Stderr, "note: other tasks that %s started run no g500: start it in all tasks\n", l.Name)
		os.Exit(status)
	})
	defer alone.Stop()
	ended := declare("one that ended before it started MPI, as with --help")
	transport, err := l.Choose(comm.AutoTransport, l.Tasks)
	if err != nil {
		say()
		return misuse
	}
	if err := transport.Start(l.Tasks, func(t comm.Transport) error {
		if err := agreement.Check(t, ended); err != nil {
			say()
			return onAllRanks(err)
		}
		all, err := comm.Gathered(t, last)
		elsewhere.Store(err == nil && slices.Index(all, all[t.Rank()]) != t.Rank())
		say()
		return err
	}); err != nil {
		say()
		return misuse
	}
	return status
}

// threadsPerRank returns the setting of worker threads or, if it is 0, this rank's share of the node's cores. With a
// setting, it raises the user's GOMAXPROCS if that is too low for all threads of the process. It is collective.
func threadsPerRank(m settings.MachineConfig, t comm.Transport) (int, error) {
	share, err := bench.HostCores(t)
	if m.Threads == 0 {
		return share, err
	}
	if n := machine.GoMaxProcs(); n > 0 {
		runtime.GOMAXPROCS(max(n, m.Threads*m.Ranks))
	}
	return m.Threads, err
}

// threadNotes returns notes on variables of the environment that set the threads of a rank, or seem to.
func threadNotes(m settings.MachineConfig, threads int) (notes []string) {
	if m.Threads > 0 {
		return nil
	}
	if n := machine.GoMaxProcs(); n > 0 && n < machine.BoundCores() {
		notes = append(notes, fmt.Sprintf("GOMAXPROCS=%d in the environment limits each process to %[1]d of %d cores: "+
			"unset it, or set --threads", n, machine.BoundCores()))
	}
	if n, err := strconv.Atoi(os.Getenv("OMP_NUM_THREADS")); err == nil && n != threads {
		notes = append(notes, fmt.Sprintf("OMP_NUM_THREADS=%d in the environment has no effect, each rank has %d threads: "+
			"--threads sets them", n, threads))
	}
	return notes
}

// declare returns the declaration of this process: the command, the program and the settings that all ranks share.
func declare(command string, settings ...agreement.Setting) agreement.Declaration {
	const install = "install the same program on all nodes"
	kernels := "" // of this program
	if len(gpuEngines) > 0 {
		kernels = gpuBuild()
	}
	return agreement.Declaration{
		Node: machine.Node(),
		Settings: append([]agreement.Setting{
			{Name: "the command", Value: command},
			{Name: "the program", Value: programVersion().String(), Cure: install},
			{Name: "the GPU program", Value: kernels, Optional: true, Cure: install},
		}, settings...),
	}
}

// declaredSettings returns the settings of a configuration that must be the same on all ranks.
func declaredSettings(cfg record.Config) []agreement.Setting {
	shared := lists.Where(settings.Table, func(s settings.Setting) bool { return !s.PerRank })
	return lists.Of(shared, func(s settings.Setting) agreement.Setting {
		return agreement.Setting{Name: s.Key, Value: s.Text(&cfg)}
	})
}

// flagValues returns flags that must be the same on all ranks.
func flagValues(f *pflag.FlagSet, names ...string) []agreement.Setting {
	return lists.Of(names, func(name string) agreement.Setting {
		return agreement.Setting{Name: "--" + name, Value: f.Lookup(name).Value.String()}
	})
}

// declaredFiles returns the files of a configuration that all ranks read. Only rank 0 reads graph files and roots.
func declaredFiles(cfg record.Config) (files []agreement.File) {
	if path := cfg.Graph.Edges; path != "" {
		files = append(files, agreement.Look("the edge file", path))
		if slices.Contains(record.Kernels(cfg.Search.Kernel), record.SSSP) {
			files = append(files, agreement.Look("the file of weights", graph.WeightsPath(path)))
		}
	}
	return files
}

// declare returns the declaration of a run.
func (j *job) declare() agreement.Declaration {
	d := declare("run", append(declaredSettings(j.cfg),
		agreement.Setting{Name: "the run to resume", Value: resumed(j.earlier), Cure: "all ranks must read the same folder"},
	)...)
	d.Files = declaredFiles(j.cfg)
	return d
}

// resumed describes the run to resume as this process has read it, "" for a new run. A node that reads an older
// state of the folder would search from other keys.
func resumed(earlier *record.Run) string {
	if earlier == nil {
		return ""
	}
	text, _ := output.JSONLine(earlier.Kernels)
	sum := sha256.Sum256(text)
	return fmt.Sprintf("one with %d searches (digest %s)", earlier.Done(), hex.EncodeToString(sum[:4]))
}
