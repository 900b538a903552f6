// Package lab measures the BFS strategies of four papers, and this project's engines, under one set of rules: the same
// graph in input order, the same sources, one clock, one validator, and figures that are counted alike.
//
// strategies.toml is the table of strategies. Table reads it. A Machine searches by some of them: Engines by this
// project's engines, package gpu/lab by the kernels of cuda/lab. Measure searches from each source with each
// strategy, validates the results with a reference implementation, and returns a Report: text, CSV or JSON.
package lab
