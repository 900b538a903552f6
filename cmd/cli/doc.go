// SPDX-License-Identifier: Apache-2.0

// Package cli has the command line that the programs of this module share: how a program runs a command and ends,
// checks of flags and arguments, progress, signals, and the hand-over to the program for GPUs.
package cli
