// SPDX-License-Identifier: Apache-2.0

// Package infile opens the files that a run reads. Its errors name files of the wrong kind, such as directories. It
// reads pipes, and an interruption ends the wait for their bytes. A fingerprint of the bytes reveals to a resumed run
// that a file has changed.
package infile
