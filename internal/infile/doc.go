// Package infile opens the files that a run reads. It names a file that is of the wrong kind, such as a directory; it
// reads pipes, and an interruption ends the wait for their bytes; and it takes the fingerprint of the bytes read, by
// which ranks are compared, and a resumed run with its earlier parts.
package infile
