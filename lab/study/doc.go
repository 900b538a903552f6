// Package study measures what a paper says of its strategies for breadth-first search, and says which of it holds.
//
// A Study is data, in a file: graphs, strategies of package lab, and claims, which are published figures with their
// place in the paper. Those of the four papers of the laboratory are part of the program. Runner measures graph by
// graph into a folder, and goes on there when it is started again. A Result puts each claim's measured figures beside
// the published one, with a verdict that is computed.
package study
