// SPDX-License-Identifier: Apache-2.0

// Package scale runs scaling studies: the same benchmark at several scales and numbers of ranks, several times each.
//
// A Study is read from one file. Runner executes its plan, one child process "g500 run" after the other, in a folder
// that has the state of each run: finished, cut off, or not begun. Therefore a study that was stopped continues when it
// is started again.
package scale
