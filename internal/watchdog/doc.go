// SPDX-License-Identifier: Apache-2.0

// Package watchdog finds the ranks for which the others wait if a job makes no progress, and ends a job whose ranks do
// not answer.
//
// Each rank stores its progress in its own memory. If rank 0 has seen no progress for some seconds, it queries the
// other ranks over TCP, because MPI itself may hang, and again after the same time: the job stalls if no rank has made
// progress in between. A rank replies whatever it does, unless its process is stopped or has ended, or its node is
// lost. Then rank 0 ends all ranks that it reaches; the launcher must end the others. Rank 1 queries rank 0 in the same
// way. While rank 0 makes progress, no message is sent.
//
// The watchdog cannot examine ranks without a TCP connection to rank 0's node, and says so. It finds nothing if both
// rank 0 and rank 1 are stopped, if a rank hangs before all ranks have joined, or if a rank waits for another rank's
// GPU and both reply; searches have time limits of their own.
package watchdog
