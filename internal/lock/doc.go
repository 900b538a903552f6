// Package lock keeps a folder for one process, by a file that the process holds. The system lets go of the file when
// the process ends, however it ends: a killed process leaves a file, and no obstacle.
package lock
