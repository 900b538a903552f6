//go:build !linux

package machine

// FreeSpace is known on Linux only.
func FreeSpace(string) (bytes int64, known bool) { return 0, false }
