// SPDX-License-Identifier: Apache-2.0

// Package study measures what a paper claims of its strategies, and computes which claims hold.
//
// A Study is a file with graphs, strategies of package lab (or algorithms of lab/color), and claims: published figures
// with their place in the paper. The studies of five papers are part of the program. A Runner measures graph by graph
// into a folder, and continues there if it is started again. A Result has the measured figures of each claim, and a
// verdict.
package study
