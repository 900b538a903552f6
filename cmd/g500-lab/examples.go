// SPDX-License-Identifier: Apache-2.0

package main

// examples are command lines of each command, for its help and its manual page.
var examples = map[string]string{
	"g500-lab": `# the strategies that there are
g500-lab bfs --list
# all of them, on a graph
g500-lab bfs --graph kron:scale=18
# the claims of a paper
g500-lab study merrill`,
	"g500-lab bfs": `# engines and strategies on two graphs, from 10 sources
g500-lab bfs --graph kron:scale=16,grid2d:512x512 --sources 10
# two strategies of one paper
g500-lab bfs --graph file:road.mtx --strategy merrill-hybrid,merrill-two-phase
# your own kernel next to a strategy
g500-lab bfs --graph kron:scale=20 --plugin mine/search.so
# levels of a search, for other programs
g500-lab bfs --graph kron:scale=16 --trace --csv`,
	"g500-lab color": `# all algorithms
g500-lab color --graph kron:scale=16
# two of them, 30 times each
g500-lab color --graph grid2d:512x512 --algorithm serial,jp --runs 30
# on the cores only
g500-lab color --graph road:1000x1000 --engine cpu`,
	"g500-lab pages": `# four batches of random updates
g500-lab pages --graph kron:scale=16 --updates random:batches=4,size=1000
# updates of a file, in larger pages
g500-lab pages --graph kron:scale=16 --updates updates.csv --page-bytes 256
# for other programs
g500-lab pages --graph kron:scale=16 --updates updates.csv --json`,
	"g500-lab study": `# a study of this program; the same line continues it
g500-lab study merrill
# one of its graphs
g500-lab study merrill --only kron-20
# on a laptop, with counts
g500-lab study merrill --size small --engine emulated
# with graphs of collections, in another folder
g500-lab study merrill --files graphs -o runs/merrill`,
}
