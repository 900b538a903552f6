// SPDX-License-Identifier: Apache-2.0

// Package lab measures the BFS strategies of four papers, and the engines of this project, under one set of rules: the
// same graph in input order, the same sources, one clock, one validator, and the same definition of each figure. Below
// it are colouring (color), graphs that change (pages), and studies of papers (study) with their page (page).
//
// A Machine searches with strategies of strategies.toml: Engines with the engines of this project (gpu/lab on a GPU),
// Child with the kernels of cuda/lab. Measure searches from each source with each strategy, validates results, and
// returns a Report.
package lab
