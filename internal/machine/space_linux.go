package machine

import "syscall"

// FreeSpace is how many bytes can still be written to the file system that holds a folder, and false where it does not
// tell. Quotas are not in it.
func FreeSpace(dir string) (bytes int64, known bool) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil || fs.Blocks == 0 {
		return 0, false
	}
	return int64(fs.Bavail) * fs.Bsize, true
}
