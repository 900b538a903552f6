// Package watchdog finds the ranks for which the others wait, where a job makes no progress.
//
// Each rank keeps where it is in its own memory. Only when rank 0 has seen no progress for some seconds does it ask the
// others, over TCP and beside MPI, which may be what hangs; a rank answers whatever it is doing, unless its process is
// stopped or its host is gone. Rank 1 asks rank 0 in the same way, so that rank 0 can be found too. While all goes
// well, nothing is sent.
//
// It names no rank that cannot reach rank 0's host by TCP, but for saying so. It finds nothing where both rank 0 and
// rank 1 are stopped, nor a rank that hangs before all have joined or after the run, nor one that a kernel of another
// rank's GPU waits for: that wait has an end of its own.
package watchdog
