// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"cmp"
	"fmt"
	"strings"

	"g500/internal/lists"
)

// HostTransport is a way in which the ranks of a job start and exchange messages.
type HostTransport struct {
	Name    string        // in settings and records
	Title   string        // for people
	Tasks   bool          // each rank is a task of a launcher; else all ranks are goroutines of this process
	Make    string        // builds a program that has it, "" if every program does
	Library func() string // returns name and version of its MPI library, "" if MPI carries no messages
	// Start runs fn on all ranks, and returns when all have ended. A launcher has chosen the number of Tasks.
	Start func(ranks int, fn func(Transport) error) error
}

// HostTransports are all transports.
var HostTransports = []HostTransport{
	{Name: "loopback", Title: "loopback", Library: func() string { return "" }, Start: Loopback},
	{Name: "mpi", Title: "MPI", Tasks: true, Make: "make MPI=1", Library: MPIVersion,
		Start: func(_ int, fn func(Transport) error) error { return MPI(fn) }},
}

// AutoTransport is the setting by which Choose decides.
const AutoTransport = "auto"

// TransportNames returns the values of the setting: AutoTransport, then all transports.
func TransportNames() []string {
	return append([]string{AutoTransport}, lists.Of(HostTransports, func(h HostTransport) string { return h.Name })...)
}

// TransportNamed returns the transport of that name, nil if there is none.
func TransportNamed(name string) *HostTransport {
	return lists.Find(HostTransports, func(h HostTransport) bool { return h.Name == name })
}

// mostInProcess is the largest number of ranks of a process, all of which take turns on its cores.
const mostInProcess = 1 << 10

// Choose returns the transport for a setting and that many ranks. AutoTransport is the one of tasks if a launcher has
// started this process and the program can join its tasks, else the one of ranks in this process.
func (l Launch) Choose(setting string, ranks int) (HostTransport, error) {
	refusal := l.Refusal()
	automatic := TransportOf(l.Name != "" && refusal == nil)
	switch h := *cmp.Or(TransportNamed(setting), &automatic); {
	case h.Tasks || l.Tasks == 1 && ranks <= mostInProcess:
		return h, nil
	case l.Tasks == 1:
		return h, fmt.Errorf("%d ranks are too many for one process: start them by mpirun or srun, or at most %d", ranks,
			mostInProcess)
	case refusal != nil:
		return h, refusal
	default:
		return h, fmt.Errorf("%s started %d tasks, but --transport %s makes its ranks in one process: "+
			"start one task, or use --transport %s", l.Name, l.Tasks, h.Name, TransportOf(true).Name)
	}
}

// TransportOf returns the first transport of tasks, or of ranks in one process.
func TransportOf(tasks bool) HostTransport {
	return *lists.Find(HostTransports, func(h HostTransport) bool { return h.Tasks == tasks })
}

// libraryName returns the name and version of a library from the result of MPI_Get_library_version.
func libraryName(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(text, ",")
	text = strings.TrimPrefix(text, "MPI VERSION") // of Cray MPICH
	words := strings.Fields(strings.ReplaceAll(text, ":", " "))
	return strings.Join(lists.Where(words, func(word string) bool { return !strings.EqualFold(word, "version") }), " ")
}

// setCUDAAware reports whether the environment makes HPE Cray MPICH or MVAPICH2 accept device memory.
func setCUDAAware(getenv func(string) string) bool {
	return getenv("MPICH_GPU_SUPPORT_ENABLED") == "1" || getenv("MV2_USE_CUDA") == "1"
}
