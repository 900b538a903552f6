// SPDX-License-Identifier: Apache-2.0

// Package lab measures the BFS strategies of four papers, and the engines of this project, under one set of rules: the
// same graph in input order, the same sources, one clock, one validator, and the same definition of each figure.
//
// Table reads the strategies of strategies.toml. A Machine searches with some of them: Engines with the engines of
// this project, package gpu/lab with the kernels of cuda/lab. Measure searches from each source with each strategy,
// validates the results with a reference implementation, and returns a Report, written as text, CSV or JSON.
package lab
