// SPDX-License-Identifier: Apache-2.0

// Package color measures graph colouring: the algorithms and optimisations of Chen et al. (Efficient and High-quality
// Sparse Graph Coloring on GPUs, 2016), and Jones-Plassmann by largest log-degree first.
//
// Table lists the algorithms as strategies, which machines of package lab run: Cores on CPUs, lab.Child with the
// kernels of cuda/color. Measure colours each graph several times with each algorithm, validates every colouring by the
// edges of the graph, and returns a report of package lab.
package color
