// Package scale runs scaling studies: the same benchmark at several scales and numbers of ranks, several times each.
//
// A Study is read from one file. Runner works through its plan, one child process "g500 run" after the other, in a
// folder that says all: which runs are finished, which were cut off and are to be resumed, and which are still to do.
// So a study that was ended, in whatever way, goes on when it is started again.
package scale
