// Package lab measures the BFS strategies of four papers, and this project's engines, under one set of rules: the same
// graph in input order, the same sources, one clock, one judge, and figures that are counted alike.
//
// strategies.toml is the table of strategies. Table reads it. A Machine searches by some of them: Engines by this
// project's engines, and that of package gpu by the kernels of cuda/lab. Measure has each strategy search from each
// source, judges what it finds against a slow twin, and makes a Report, which is written as text, CSV or JSON.
package lab
