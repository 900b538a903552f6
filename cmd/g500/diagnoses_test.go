// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"g500/comm"
	"g500/internal/expect"
	"g500/internal/machine"
)

// Each cause has one line for any number of ranks, with the ranks that have it unless all have it.
func TestCausesOfAPoorRateAreOneLineEach(t *testing.T) {
	rank := func(host string, threads int, causes ...string) rankDiagnosis {
		d := rankDiagnosis{Host: host, Threads: threads, Libraries: []string{"Open MPI v4.1.4", ""}}
		for _, c := range causes {
			d.Causes = append(d.Causes, machine.Diagnosis{Cause: c, Text: c + " of " + host})
		}
		return d
	}
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
	} {
		expect.Equal(t, sentences(c.ranks), c.want, c.ranks)
	}
}

// Libraries of which ranks have different versions are named, with two ranks that have them.
func TestDifferentLibrariesAreNamed(t *testing.T) {
	const cure = ": if the run hangs or fails, install the same one on all nodes"
	at := func(host, mpi, driver string) rankDiagnosis {
		return rankDiagnosis{Host: host, Libraries: []string{mpi, driver}}
	}
	for _, c := range []struct {
		ranks []rankDiagnosis
		want  []string
	}{
		{[]rankDiagnosis{at("a", "MPI 1", ""), at("b", "MPI 1", "")}, nil},
		{[]rankDiagnosis{at("a", "MPI 1", "550"), at("a", "MPI 1", "550"), at("b", "MPI 2", "550")},
			[]string{"ranks have different versions of MPI: rank 0 on node a has MPI 1, rank 2 on node b has MPI 2" + cure}},
		{[]rankDiagnosis{at("a", "", "550"), at("b", "", "")},
			[]string{"ranks have different NVIDIA drivers: rank 0 on node a has 550, rank 1 on node b has none" + cure}},
	} {
		expect.Equal(t, sentences(c.ranks), c.want, c.ranks)
	}
	if own := libraries(comm.TransportOf(true)); len(own) != len(libraryNames) || own[0] != comm.MPIVersion() {
		t.Errorf("the libraries are %q", own)
	}
}
