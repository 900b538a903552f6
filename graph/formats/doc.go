// SPDX-License-Identifier: Apache-2.0

// Package formats makes graphs other than the official one: synthetic graphs of several families, and graphs from
// files or pipes in four text formats.
//
// A spec (spec.go) names a graph, such as uniform:vertices=1000000,degree=16. kinds.go is the table of all kinds of
// graphs and their parameters; parsing, errors and help use it. Each generator (of random edges in randomedges.go, of
// vertices with places in spatial.go) and each reader (mtx.go, gr.go, metis.go, snap.go) makes a list of tuples
// (list.go). build.go makes a Graph (graph.go) of the list: rows of neighbours in the vertex numbers of the input.
//
// Every random value is a function of the seed and an index (random.go), so the graph does not depend on the number of
// workers. The memory that a graph takes is computed first (Size); Make refuses a graph that does not fit.
package formats
