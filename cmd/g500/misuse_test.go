package main

import (
	"testing"
)

func TestErrorsAreOneSentence(t *testing.T) { tested.EndsWithOneSentence(t, misuses, failures) }

// misuses are command lines that are wrong on every machine, with a part of their errors.
const misuses = `rum => there is no command "rum": did you mean run?; see g500 --help
help rum => there is no command "rum": did you mean run?
graph inof => there is no command "inof": did you mean info?
completion tcsh => there is no command "tcsh"; see g500 completion --help
26 16 => flags here: g500 run --scale 26 --edgefactor 16
run 26 => flags here: g500 run --scale 26
run 26 16 => flags here: g500 run --scale 26 --edgefactor 16
run --trees 1 => flags here: g500 run --scale 1
run 26 16 3 => g500 run takes no argument "26"
run 26 x => g500 run takes no argument "26"
run --engine warp --print-config => search.engine = "warp": it must be auto
run --seeds 2 => two numbers
run --scle 4 => unknown flag: --scle: did you mean --scale?; see g500 run --help
run --config lptop => there is no preset "lptop": did you mean laptop?
run --config nowhere.toml => cannot read the configuration
model => needs folders with runs
model DIR => there is no run in
model DIR --links nowhere.csv => there is no run in
run --config enormous => there is no preset "enormous"; there are cluster, gpu1, 
run --resume a --output b => --resume and --output exclude each other
run --validate false => takes no argument "false"
run --resume nowhere => there is no run to resume
run --power --validate=false => search.power = true: it must be false if trees are not validated
run --scale 4 --prune hub => none if no shortest paths are searched
run --roots r --keys 2 => --keys has no effect with --roots
run --graph graph.mtx => there is no kind
run --quiet --graph kron:scale=5,symmetric=1 => symmetric
run --graph kron:scale=5 --scale 5 => --scale has no effect with --graph
run --graph kron:scale=5 --seeds 2,3 => --seeds has no effect with --graph
run --graph kron:scale=5 --edges list => exclude each other
run --scale 5 --policy gamma=1 => a policy has no "gamma"; it has alpha, beta, few_edges, 
run --scale 5 --policy alpha => a key and a whole number are needed, as in alpha=30
run --scale 5 --policy alpha=2.5 => a key and a whole number are needed
run --scale 5 --policy alpha=2,beta => a key and a whole number are needed
run --scale 5 --policy few_edges=-1 => policy.few_edges = -1: it must be from 0 to 1099511627776
run --format u64 => --format has no effect without --edges
run --power-seconds 3 => --power-seconds has no effect without --power
run --print-config --json => --json has no effect with --print-config
run --print-config --quiet => --quiet has no effect with --print-config
run --print-config --log-dir x => --log-dir has no effect with --print-config
run --plan --json => --json has no effect with --plan, which
run --plan --print-config => --plan and --print-config exclude each other
run --plan --engine cpu --graph kron:scale=5 => --plan is for the official graph: leave --graph out
run --gpu-memory-gib 130 => --gpu-memory-gib has no effect without --plan
run --plan --host-memory-gib -1 => it must be from 0 to 1073741824
run --json --names spec => --names has no effect with --json
run --scale 4 --engine cpu --policy beta=9 => --policy=beta=9 is for engine gpu, and this run has engine cpu
run --scale 4 --engine topdown --trace => --trace=true is for engine gpu or cpu
run --scale 4 --engine topdown --policy beta=9 --ranks 3 => --policy=beta=9 is for engine gpu
generate --format csv --output x => packed or u64
generate --scale 4 => --output FILE is missing
generate 26 => g500 generate takes no argument "26"
validate --tree x => are needed
validate --kernel both --tree x --root 1 => one result is validated at a time
validate --tree x --distances y --root 1 => --distances is for shortest paths
validate --kernel sssp --tree x.i64 --root 1 => does not end in .sssp.i64
validate --tree x --root 1 --format u64 => --format has no effect without --edges
validate --tree x --root 1 --edges y --seeds 1,1 => --seeds has no effect with --edges
validate --tree x --root 1 --graph grid2d:2x2 --scale 3 => --scale has no effect with --graph
validate --kernel dfs --tree x --root 1 => search.kernel
man => --dir DIR is missing
doctor --json --preset => --json and --preset exclude each other
doctor --check --gpus => --check and --gpus exclude each other
doctor --min-cores 4 => --min-cores has no effect without --check
doctor --check --min-cores -4 => it must be from 0 to 1048576
doctor --prometheus x.txt => its name must end with .prom
net --slow 1 => it must be from 1.001 to 1000000000
net --ranks 9223372036854775807 => machine.ranks = 9223372036854775807: it must be from 1 to 65536
run --scale 43 --engine cpu => scale 43 is beyond engine cpu, whose vertex numbers end at scale 42: choose a smaller one
run --ranks 1025 => 1025 ranks are too many for one process: start them by mpirun or srun, or at most 1024
net --min-gbs -1 => it must be from 0 to 1000000000
run --prometheus x => its name must end with .prom
run --print-config --prometheus x.prom => --prometheus has no effect with --print-config
scale => g500 scale needs one STUDY.toml
scale nowhere.toml => cannot read the study
report => g500 report needs one DIR
report DIR => there is no run
report nowhere => cannot look for runs
submission => needs one folder
submission a b => needs one folder
submission DIR => there is no run in 
compare a => needs two folders
compare a DIR => cannot look for runs
compare a b --confidence 100 => it must be from 1 to 99.999
compare a b --fail-below -1 => it must be from 0 to 99.999
compare a b --same -1 => invalid argument "-1" for "--same" flag: it must be from 0 to 99.999; see g500 compare
compare a b --json --csv => --json and --csv exclude each other
net --ranks 1 => one rank has no peer
net --sizes 64,8 => from small to large
net --repeats 0 => 0 repeats cannot
net --engine topdown => choose host or gpu
net --gpu-transport mpi => is for --engine gpu
net --json --csv => exclude each other
report dir --csv --title x => exclude each other
graph info => needs a graph such as
graph describe => there is no command "describe"
graph info graph.mtx => there is no kind
graph info grid2d:3x3 kron:scale=99 => it must be
graph info --plot a.gif grid2d:3x3 => must end with .svg
graph info --plot DIR/none/a.svg grid2d:3x3 => there is no folder
graph info --plot a.svg road: road: road: road: road: road: road: road: => colours for 7 graphs, not for 8
graph info --root 9 grid2d:3x3 => --root 9 is no vertex of grid2d:3x3: choose 0 to 8
graph convert kron => needs a graph and a file
graph convert kron:scale=4 DIR/x.csv => does not name a format
graph convert kron:scale=4 DIR/folder.mtx => is a directory: name a regular file for the graph
graph specs kron => takes no argument
lab bfs --graph x => there is no command "lab": the laboratory is the program g500-lab, which make lab builds`

const failures = `run --quiet --scale 40 => the largest scale that fits is
run --quiet --graph file:none.mtx --ranks 3 => no such file
run --quiet --graph kron:scale=31,edgefactor=1024 => are free: scale=
generate --scale 47 --output DIR/edges => takes 24 PiB of disk
graph info file:DIR/none.mtx => no such file
graph info kron:scale=31,edgefactor=1024 => are free: scale=
graph convert kron:scale=4,symmetric=no DIR/a.graph => the graph is directed
graph convert kron:scale=4,weights=uniform DIR/a.gr => whole numbers
graph convert kron:scale=4 DIR/none/a.gr => cannot write the graph`
