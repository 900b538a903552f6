// Package model predicts what a search of the official graph costs on many GPUs, one a rank.
//
// It is arithmetic on a few things, each in a file of its own:
//
//	graph.go    what the generator's probabilities make of a scale: vertices with an edge, edges, hubs
//	wave.go     searches of such a graph, drawn by chance; steps.go makes the mean search of them
//	order.go    where in the hub order new vertices stand, and how long the gaps between them are
//	traffic.go  what ranks of the engine on CPUs send each other, level by level: told.go the bits of the bitmap,
//	            questions.go what they ask beside, pairs.go and labels.go; carry.go how messages go between hosts
//	profile.go  the machine: rates of one GPU, links, barriers, memory
//	networks.go networks that are known by name
//	forms.go    what ranks of GPUs send each other in a level: bitmaps, bins, hubs and bins, or a grid's blocks;
//	            asked.go the same with questions
//
// predict.go brings them together for one graph and machine, memory.go counts a rank's arrays, scaling.go puts
// predictions for 1 to thousands of ranks into a table, and compare.go a prediction beside a measured run.
package model
