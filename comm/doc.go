// Package comm moves words between ranks. It knows nothing of graphs.
//
// Transport is the door. Loopback runs ranks as goroutines of one process and needs nothing but Go; MPI runs
// them as processes (build tag mpi). Both pass the suite in comm/commtest. Launchers own failure: when one rank
// returns an error, panics or is killed, the job ends on every rank, and the reason is told once.
package comm
