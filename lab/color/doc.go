// Package color measures graph colouring: the algorithms and optimisations that Chen et al. compare (Efficient and
// High-quality Sparse Graph Coloring on GPUs, 2016), and Jones-Plassmann by largest log-degree first beside them.
//
// Table has the algorithms. A Machine colours by some of them: Cores on CPUs, that of package gpu by the kernels of
// cuda/color. Measure has each colour each graph several times, judges every colouring by its edges, and reports as
// package lab does.
package color
