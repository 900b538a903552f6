// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"strings"
	"testing"
)

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
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%q, --transport %s, %d ranks: %s, want %s", c.environ, c.setting, c.ranks, got, c.want)
		}
		chosen[got] = true
	}
	for _, h := range HostTransports {
		if named, is := TransportNamed(h.Name); !chosen[h.Name] || !is || named.Name != h.Name || h.Start == nil {
			t.Errorf("no case chooses %s", h.Name)
		}
	}
}
