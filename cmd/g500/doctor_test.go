// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"g500/bench"
	"g500/cmd/cli"
	"g500/comm"
	"g500/internal/expect"
	"g500/internal/machine"
	"g500/internal/output"
	"g500/settings"
)

// One of four ranks of a node prints the findings, with 25% of the memory for each.
func TestDoctorSharesTheNode(t *testing.T) {
	var out bytes.Buffer
	report := func(f findings) error { return output.FillIn(&out, doctorText, nil, f) }
	examine := func(tr comm.Transport) error {
		return examineNode(tr, comm.TransportOf(false), nodeLimits{}, cli.ErrInvalid, report)
	}
	expect.NoError(t, comm.Loopback(4, examine))
	expect.Equal(t, strings.Count(out.String(), "largest graph:"), 1, "ranks print", &out)
	expect.Contains(t, out.String(), " for each of 4 ranks\n", " on 4 ranks (")
	_, available := machine.Here.Memory()
	share := bench.Budget{Bytes: available / 4}
	scale := bench.LargestScale(cpuBackend(1), bench.WorkOf(settings.Default(), 4), bench.Budgets{Backend: share.Bytes})
	got := largestGraph(share, 4).String()
	expect.That(t, strings.HasPrefix(got, fmt.Sprintf("scale %d on 4 ranks (", scale)), "%q, want scale %d", got, scale)
}

func TestLauncherVersion(t *testing.T) {
	for _, c := range []struct{ said, want string }{
		{"mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org\n", "mpirun (Open MPI) 4.1.4"},
		{"HYDRA build details:\n    Version:             4.0.2\n    Release Date:   Thu Apr  7\n", "Hydra 4.0.2"},
	} {
		expect.Equal(t, launcherVersion(c.said), c.want, "launcherVersion", c.said)
	}
}

// Each limit is met at its value, and missed below.
func TestLimitsOfANode(t *testing.T) {
	const gib = 1 << 30
	good := hardware{memory: 512 * gib, cores: 64, gpuFacts: gpuFacts{Memories: []int64{80 * gib, 79 * gib}}}
	for _, c := range []struct {
		limits nodeLimits
		change func(*hardware)
		fails  string
	}{
		{nodeLimits{memory: 512}, func(h *hardware) { h.memory-- }, "memory"},
		{nodeLimits{cores: 64}, func(h *hardware) { h.cores = 1 }, "cores"},
		{nodeLimits{gpus: 2}, func(h *hardware) { h.Memories = h.Memories[:1] }, "GPUs"},
		{nodeLimits{gpus: 1}, func(h *hardware) { h.Memories = nil }, "GPUs"},
		{nodeLimits{gpuMemory: 79}, func(h *hardware) { h.Memories = []int64{80 * gib, 40 * gib} }, "GPU memory"},
		{nodeLimits{gpuMemory: 1}, func(h *hardware) { h.Memories = nil }, "GPU memory"},
		{nodeLimits{peers: true}, func(h *hardware) { h.Apart = []string{"0-1"} }, "peers"},
		{nodeLimits{peers: true}, func(h *hardware) { h.Unknown = "no driver" }, "peers"},
	} {
		bad := good
		c.change(&bad)
		was, is := c.limits.checks(good), c.limits.checks(bad)
		expect.That(t, len(was) == 1 && was[0].OK && len(is) == 1 && !is[0].OK && is[0].Name == c.fails,
			"%s: %+v, then %+v", c.fails, was, is)
	}
	none := (nodeLimits{}).checks(good)
	expect.That(t, len(none) == 0, "without limits: %+v", none)
}

// Each rank knows the GPUs of its node that are far from their cores. GPUs that are far from the network are a warning,
// but fail no check of the node.
func TestDoctorNamesFarGPUs(t *testing.T) {
	expect.Set(t, &farFromNetwork, func() string { return "no adapter is near" })
	expect.Set(t, &farFromCores, func(gpu string) string { return strings.TrimPrefix(gpu, "near") })
	cores := make([][]machine.Diagnosis, 4)
	var found findings
	err := comm.Loopback(4, func(tr comm.Transport) (err error) {
		gpu := []string{"near", "far 1", "far 2", "far 3"}[tr.Rank()]
		nodes := comm.EmulateNodes(tr, []int{0, 0, 0, 1})
		if cores[tr.Rank()], err = gpuCores(nodes, gpu); err != nil {
			return err
		}
		return examineNode(tr, comm.TransportOf(false), nodeLimits{}, cli.ErrInvalid,
			func(f findings) error { found = f; return nil })
	})
	want := []machine.Diagnosis{{Cause: machine.GPUCores, Text: "rank 1: far 1"},
		{Cause: machine.GPUCores, Text: "rank 2: far 2"}}
	expect.That(t, err == nil && slices.Equal(cores[0], want) && len(cores[3]) == 1 && cores[3][0].Text == "rank 3: far 3",
		"%v, %v", err, cores)
	named := func(c nodeCheck) bool { return c.Name == machine.GPUNetwork }
	expect.That(t, slices.Contains(found.Warnings, "no adapter is near") && !slices.ContainsFunc(found.Checks, named),
		"%+v", found)
	checks := causeChecks(want)
	expect.That(t, slices.Contains(checks, nodeCheck{Name: machine.GPUCores, Text: "rank 2: far 2"}),
		"a GPU that is far from its cores passes: %+v", checks)
}

// The doctor names the transport of a run on these ranks. If some ranks have no GPU, none has one.
func TestDoctorNamesTheTransport(t *testing.T) {
	expect.NoError(t, comm.Loopback(2, func(tr comm.Transport) error {
		var noGPU error
		if tr.Rank() == 1 {
			noGPU = cli.ErrInvalid
		}
		paths, _, err := examineGPUs(tr, noGPU)
		want := "1 of 2 ranks have no GPU, so that all search with engine cpu"
		expect.That(t, strings.HasPrefix(paths, want), "%q, want %q", paths, want)
		return err
	}))
}

// Each cause of a low rate has one line for any number of ranks, with the ranks that have it unless all have it.
// Libraries of which ranks have different versions are named, with two ranks that have them.
func TestCausesAreOneLineEach(t *testing.T) {
	rank := func(host string, threads int, causes ...string) rankDiagnosis {
		d := rankDiagnosis{Host: host, Threads: threads, Libraries: []string{"Open MPI v4.1.4", ""}}
		for _, c := range causes {
			d.Causes = append(d.Causes, machine.Diagnosis{Cause: c, Text: c + " of " + host})
		}
		return d
	}
	at := func(host, mpi, driver string) rankDiagnosis {
		return rankDiagnosis{Host: host, Libraries: []string{mpi, driver}}
	}
	const cure = ": if the run hangs or fails, install the same one on all nodes"
	for _, c := range []struct {
		ranks []rankDiagnosis
		want  []string
	}{
		{[]rankDiagnosis{rank("a", 4)}, nil},
		{[]rankDiagnosis{rank("a", 4, "swap", "quota")}, []string{"swap of a", "quota of a"}},
		{[]rankDiagnosis{rank("a", 4, "swap"), rank("b", 4, "swap")}, []string{"swap of a"}},
		{[]rankDiagnosis{rank("a", 4), rank("b", 4, "swap"), rank("c", 4, "swap", "quota")},
			[]string{"ranks 1-2, such as on node b: swap of b", "rank 2, such as on node c: quota of c"}},
		{[]rankDiagnosis{rank("a", 4), rank("b", 1)},
			[]string{"ranks have different numbers of threads: rank 1 on node b has 1, rank 0 on node a has 4: " +
				"all others wait for the slowest"}},
		{[]rankDiagnosis{at("a", "MPI 1", ""), at("b", "MPI 1", "")}, nil},
		{[]rankDiagnosis{at("a", "MPI 1", "550"), at("a", "MPI 1", "550"), at("b", "MPI 2", "550")},
			[]string{"ranks have different versions of MPI: rank 0 on node a has MPI 1, rank 2 on node b has MPI 2" + cure}},
		{[]rankDiagnosis{at("a", "", "550"), at("b", "", "")},
			[]string{"ranks have different NVIDIA drivers: rank 0 on node a has 550, rank 1 on node b has none" + cure}},
	} {
		expect.Equal(t, sentences(c.ranks), c.want, c.ranks)
	}
	own := libraries(comm.TransportOf(true))
	expect.That(t, len(own) == len(libraryNames) && own[0] == comm.MPIVersion(), "the libraries are %q", own)
}
