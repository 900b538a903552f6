// Package record reads the record of a run, the file run.json of its folder, and checks that the record is consistent:
// that its settings, searches, counts, times, verdict and statistics can all be those of one run. All commands that
// read stored runs use this check. It finds edited and damaged records; it cannot find a record that was forged whole.
package record
