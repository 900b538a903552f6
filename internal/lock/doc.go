// SPDX-License-Identifier: Apache-2.0

// Package lock keeps a folder for one process, by a file that the process locks. The system releases the lock when the
// process ends, even if it is killed: the file that remains excludes no other process.
package lock
