package infile

import (
	"fmt"
	"io/fs"
	"os"
)

// Kind names the kind of a file, as in "a directory".
func Kind(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a regular file"
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}

// Regular returns the size in bytes of a file that ranks read in parts. It returns an error if the file is not regular.
// what describes its content for the error, such as "the edge list".
func Regular(path, what string) (bytes int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, fmt.Errorf("cannot read %s: %w", what, err)
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("cannot read %s: %s is %s, and the ranks read their parts of a regular file: name one",
			what, path, Kind(info.Mode()))
	}
	return info.Size(), nil
}
