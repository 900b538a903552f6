// Package infile opens the files that a run reads. It refuses files of the wrong kind, such as directories, by name. It
// reads pipes, and an interruption ends the wait for their bytes. It computes the fingerprint of the bytes read, by
// which a resumed run detects files that have changed.
package infile
