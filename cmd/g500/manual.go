// SPDX-License-Identifier: Apache-2.0

package main

import "g500/cmd/cli"

// examples are command lines of each command, for its help and its manual page.
var examples = map[string]string{
	"g500": `# what this machine can run
g500 doctor
# a run of some seconds on the cores of this machine, stored for reports
g500 run --scale 18 --output runs/first
# tables, pictures and a page of all stored runs
g500 report runs`,
	"g500 run": `# 2^20 vertices on the cores of this machine, stored in a folder
g500 run -s 20 -o runs/larger
# both kernels on the GPU of this machine, by a preset
g500 run --config gpu1 --kernel both -o runs/gpu1
# four ranks of MPI, each with a share of the cores
mpirun -n 4 --bind-to none g500 run -s 22 -o runs/four`,
	"g500 generate": `# the official graph of scale 20, as pairs of 64-bit numbers
g500 generate -s 20 --format u64 -o scale20.u64
# with the weights of shortest paths, in scale20.edges.weights
g500 generate -s 20 --weights -o scale20.edges
# another graph of the same size
g500 generate -s 20 --seeds 4,5 -o other.edges`,
	"g500 validate": `# the first tree that g500 run -s 10 --kernel both --trees -o runs/ten stores
g500 validate -s 10 --tree runs/ten/trees/0.i64 --root 458
# its shortest paths
g500 validate -s 10 --kernel sssp --tree runs/ten/trees/0.sssp.i64 --root 458
# results of any program, with their times: a CSV file of root, tree, seconds
g500 validate -s 10 --list results.csv
# a tree of another graph
g500 validate --graph file:road.mtx --tree road.i64 --root 0`,
	"g500 scale": `# a study of this machine; the file explains the settings
g500 scale configs/studies/laptop.toml
# what is missing, and how long it takes
g500 scale study.toml -o runs/study-of-may --plan
# in another folder; the same line continues an interrupted study
g500 scale study.toml -o runs/study-of-may
# its page and pictures
g500 report runs/study-of-may`,
	"g500 report": `# a page of all runs below a folder, in runs/report
g500 report runs
# of the archive of a first run, in another folder
g500 report first.tar.gz -o page
# only tables, with every figure
g500 report runs --csv`,
	"g500 compare": `# the runs of two versions of the program
g500 compare runs/before runs/after
# exit status 1 if the second is slower by more than 3%
g500 compare runs/before runs/after --fail-below 3
# for other programs
g500 compare runs/before runs/after --csv`,
	"g500 model": `# 8, 64 and 512 GPUs from stored runs of one and two
g500 model runs/traced --gpus 8,64,512
# no two are peers: with measured times of exchanges
g500 model runs/traced --gpus 64 --links net.csv
# each step of a search at scale 30 per GPU
g500 model runs/traced --gpus 8 --scale 30 --steps`,
	"g500 net": `# between two ranks in this process
g500 net
# between 16 ranks of a job; exit status 1 if a pair is slow
srun -n 16 g500 net --check
# between the memories of the GPUs of a node
mpirun -n 4 --bind-to none g500 net --engine gpu`,
	"g500 graph": `# the graphs that there are, with their parameters
g500 graph specs
# size, degrees and diameter of a grid with a million vertices
g500 graph info grid2d:1000x1000
# a search in a file from a collection
g500 run --graph file:road.mtx.gz`,
	"g500 graph info": `# a grid of roads
g500 graph info road:1000x1000
# a file, as downloaded, with a picture of the degrees
g500 graph info file:graph.mtx.gz --plot degrees.html
# for other programs
g500 graph info kron:scale=16 --json`,
	"g500 graph convert": `# the official graph as an edge list of SNAP
g500 graph convert kron:scale=16,seed=2,seed2=3 scale16.txt.gz
# a file from one format to another
g500 graph convert file:graph.mtx graph.gr
# with the labels of its vertices made consecutive
g500 graph convert file:graph.txt,labels=renumber graph.mtx`,
	"g500 graph specs": `# all kinds of graphs with their parameters
g500 graph specs
# one of them in a run
g500 run --graph uniform:vertices=1000000,degree=16
# its size and degrees
g500 graph info uniform:vertices=1000000,degree=16`,
	"g500 submission": `# check a stored run and pack it in runs/first/submission
g500 submission runs/first
# pack it as one file
g500 submission runs/first -o submission.tar.gz
# pruned shortest paths with the same run without pruning
g500 submission runs/pruned --unpruned runs/unpruned`,
	"g500 doctor": `# hardware, software, the largest graph, a preset
g500 doctor
# of each node of a job, with a check of 4 GPUs a node
srun -n 8 g500 doctor --check --min-gpus 4
# the GPUs only
g500 doctor --gpus`,
}

// variables are the variables of the environment that this program and its libraries read, for manual pages.
var variables = []cli.Term{
	{Name: "CUDA_VISIBLE_DEVICES", Is: "the GPUs that the program may use, as 0,1; the driver reads it"},
	{Name: "G500_NCCL", Is: "the file of NCCL, libnccl.so.2, if the dynamic loader cannot find it"},
	{Name: "GOMAXPROCS", Is: "the number of cores to use; without it those to which the process is bound"},
	{Name: cli.NoColour, Is: "if not empty, VALID and INVALID have no colour on a terminal"},
}

// files has the files that commands write, for manual pages and OPERATORS.md.
var files = map[string][]cli.Term{
	"g500 run": {
		{Name: "DIR/run.json", Is: "settings, machine, searches, traces, power; INCOMPLETE until the verdict"},
		{Name: "DIR/searches.jsonl", Is: "a line per search, on disk before the next search; --resume reads it"},
		{Name: "DIR/searches.csv", Is: "a row per search of kernel 2"},
		{Name: "DIR/sssp.csv", Is: "a row per search of kernel 3"},
		{Name: "DIR/official.txt", Is: "the output block with the verdict"},
		{Name: "DIR/trees", Is: "with --trees, parents and distances of each search"},
	},
	"g500 scale": {
		{Name: "DIR/study.csv", Is: "a row per run"},
		{Name: "DIR/scaleS-ranksN-runR", Is: "the folder of a run, on N ranks, gpus, nodes or cores"},
	},
	"g500 report": {
		{Name: "DIR/report/index.html", Is: "the page, which needs no network"},
		{Name: "DIR/report/report.md", Is: "its tables"},
		{Name: "DIR/report/runs.csv", Is: "a row per run"},
	},
}
