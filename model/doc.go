// Package model predicts what a search of the official graph costs on many GPUs, one a rank.
//
// It is arithmetic on four things, each in a file of its own:
//
//	graph.go    what the generator's probabilities make of a scale: vertices with an edge, edges, hubs
//	steps.go    what share of the graph each level of a search handles, from traces of real searches
//	profile.go  the machine: rates of one GPU, links, barriers, memory
//	forms.go    what ranks send each other in a level: bitmaps, bins, hubs and bins, or a grid's blocks
//
// predict.go brings them together for one graph and machine, memory.go counts a rank's arrays, scaling.go puts
// predictions for 1 to thousands of ranks into a table, and compare.go a prediction beside a measured run.
package model
