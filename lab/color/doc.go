// Package color measures graph colouring: the algorithms and optimisations that Chen et al. compare (Efficient and
// High-quality Sparse Graph Coloring on GPUs, 2016), and Jones-Plassmann by largest log-degree first beside them.
//
// Table has the algorithms. A Machine colours with some of them: Cores on CPUs, package gpu/lab with the kernels of
// cuda/color. Measure colours each graph several times with each algorithm, validates every colouring by its edges,
// and reports as package lab does.
package color
