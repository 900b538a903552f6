// Package formats makes graphs that are not the official one, for measurements outside of the benchmark: synthetic
// graphs of several families, and graphs from files or pipes in four text formats.
//
// A graph is named by a spec (spec.go), such as uniform:vertices=1000000,degree=16. kinds.go is the table of all kinds
// of specs with their parameters; parsing, errors and help come from it. Each generator (kron.go, rmat.go, uniform.go,
// grid.go, geometric.go, road.go) and each reader (mtx.go, gr.go, metis.go, snap.go) makes a list of tuples (list.go),
// and build.go makes a Graph of it (graph.go): rows of neighbours in the vertex numbers of the input.
//
// What is drawn at random is a function of the seed and of an index (random.go), so a graph is the same whatever the
// number of workers. What is made needs an amount of memory that is known before (memory.go); a graph for which there
// is no room is refused before it is made.
package formats
