// SPDX-License-Identifier: Apache-2.0

// Package timeout has the time limits after which a job ends if a rank or an exchange does not. They are in one place
// because they follow each other: a job with a silent rank ends within Promised, and a job with an exchange that does
// not end within Promised after the time limit of that exchange.
package timeout

import "time"

// Promised is the time in which a job ends after a failure.
const Promised = 10 * time.Second

// A rank that is stopped, or whose process or node is lost.
const (
	// Quiet is the time without progress of a rank after which it queries others.
	Quiet = 3 * time.Second
	// Looks is the number of looks at the rank's progress during Quiet.
	Looks = 8
	// Reply is the time limit of a query.
	Reply = 2 * time.Second
	// Launcher is the time that the launcher needs to end all processes after one has ended: Open MPI's needs a second
	// until SIGTERM, and another one until SIGKILL.
	Launcher = 2 * time.Second
	// Notice is the time in which a launcher notices a lost node by itself, after the ranks: Open MPI's needs 8 s from
	// the loss with slurm/openmpi.conf. If a rank ends before, it waits for the lost node for minutes.
	Notice = 8 * time.Second
)

// A rank that fails.
const (
	// Abort is the time in which NCCL must end a communicator.
	Abort = 2 * time.Second
	// Unwinding is the time in which a rank that fails must free its memory and end.
	Unwinding = 2 * time.Second
	// Hold is the time in which the first rank that fails ends the job, while others that fail wait.
	Hold = 3 * time.Second
)

// Joining is the time limit of NCCL for joining the ranks, and of exchanges outside of searches, in addition to the
// time for their bytes: ranks may reach them at different times. For searches it is the policy's wait_seconds.
const Joining = time.Minute

// SlowestNetwork is the lowest rate of a working network, in bytes per second.
const SlowestNetwork = 16 << 20

// Exchange returns the time limit of an exchange of that many bytes: wait, and the time for the bytes.
func Exchange(wait time.Duration, bytes int64) time.Duration {
	return wait + time.Second*time.Duration(bytes/SlowestNetwork)
}
