#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test-nodes.sh: runs on three nodes, with Open MPI over TCP and under Slurm, and disconnects one. The nodes are network
# namespaces of this machine with names of their own, connected by a bridge. They share its files, as a cluster does.
#
# All processes are in namespaces that end with this script. Without root the namespaces are a user's, and Slurm is
# skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh
. scripts/slurm-jobs.sh

namespaces=(--net --uts --mount --pid --fork --kill-child --mount-proc)
[ "$(id -u)" -eq 0 ] || namespaces+=(--map-root-user)

if [ "${1-}" != inside ]; then
	why=$(unshare "${namespaces[@]}" true 2>&1) ||
		lacks "three nodes need namespaces (CAP_SYS_ADMIN in a container), which this machine forbids: $why"
	scripts/install-deps.sh gcc libc6-dev make openmpi-bin libopenmpi-dev iproute2 procps slurm-wlm munge
	links='ip link add lan type bridge && ip link add cable type veth peer name socket'
	why=$(unshare "${namespaces[@]}" sh -c "$links" 2>&1) ||
		lacks "three nodes need a bridge and virtual cables, which this machine's kernel lacks: $why"
	built
	work=$(mktemp -d)
	unshare "${namespaces[@]}" "$0" inside "$work" "$(id -u)" &
	# The child receives no signal of this script. Its end also ends all its processes.
	trap 'kill -KILL $! 2>/dev/null || true; wait || true; sleep 0.5; rm -rf "$work"' EXIT
	wait $!
	exit
fi

work=$2 user=$3
export TMPDIR=$work ON_NODE=$work/on SLURM_CONF=$work/slurm/slurm.conf
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm_rsh_agent=$ON_NODE # instead of ssh
mpirun=(timeout 100 mpirun --tune slurm/openmpi.conf --host "node1:2,node2:2,node3:2" --bind-to none -n 6)
run=(run --config configs/tiny.toml --keys 16) # of the compared runs

# on NODE COMMAND...: runs a command on a node, as one line, like ssh. It is a program, because mpirun needs one.
write_on() {
	cat >"$ON_NODE" <<-EOF
		#!/bin/sh
		node=\$1
		shift
		exec nsenter --target "\$(cat "$work/\$node.pid")" --net --uts sh -c "\$*"
	EOF
	chmod +x "$ON_NODE"
}
on() { "$ON_NODE" "$@"; }

# add_node N: node1 has the address 10.0.0.1. A sleeping process keeps its namespaces.
add_node() {
	unshare --net --uts sh -c "hostname node$1; touch '$work/node$1.up'; exec sleep infinity" </dev/null &
	echo $! >"$work/node$1.pid"
	until [ -e "$work/node$1.up" ]; do sleep 0.05; done
	ip link add "to-node$1" type veth peer name eth0 netns $!
	ip link set "to-node$1" master lan up
	on "node$1" "ip link set lo up && ip addr add 10.0.0.$1/24 dev eth0 && ip link set eth0 up"
}

add_nodes() {
	write_on
	ip link set lo up
	ip link add lan type bridge
	ip link set lan up
	ip addr add 10.0.0.254/24 dev lan # the machine from which jobs are submitted
	for i in 1 2 3; do add_node $i; done
}

one_process() { bin/g500 "${run[@]}" --output "$work/one" 2>/dev/null | tail -n 1 | grep -x VALID; }

three_nodes_mpi() {
	local output=(--output "$work/three" --log-dir "$work/logs")
	on node1 "${mpirun[@]}" bin/g500 "${run[@]}" "${output[@]}" >"$work/three.out" 2>&1 || true
	has "$work/three.out" "nodes: node1 (ranks 0-1), node2 (ranks 2-3), node3 (ranks 4-5)"
	grep -qx VALID "$work/three.out" # mpirun may print lines of standard error after it
	has "$work/logs/rank-0005.log" "on node node3 the 2. of 2" "begins: kernel 1"
	alike "$work/one" "$work/three"
}

# first-run.sh on three nodes, and the report of its archive.
first_run() {
	local launcher="mpirun --tune slurm/openmpi.conf --host node1,node2,node3"
	on node1 env NODES=3 KEYS=4 "'SCALES=8 9'" "'MPIRUN=$launcher'" slurm/first-run.sh "$work/first" ||
		{ cat "$work/first"/*.txt && return 1; }
	has "$work/first/summary.txt" "3 nodes" "6 of 6 steps succeeded"
	rm -r "$work/first"
	bin/g500 report "$work/first.tar.gz" | grep -F "4 runs"
}

# node3 is disconnected during a run. The watchdog names it, and mpirun ends the run on the other nodes, before its time
# limit; node3 ends its ranks itself. After the reconnection the run is resumed.
disconnect() {
	local job status=0 began
	on node1 "${mpirun[@]}" bin/g500 run --scale 14 --keys 200 --output "$work/cut" >"$work/cut.out" 2>&1 &
	job=$!
	searching "$work/cut" 3
	ip link set to-node3 down
	began=$SECONDS
	wait $job || status=$?
	echo "mpirun ends after $((SECONDS - began)) s with status $status"
	has "$work/cut.out" "(node node3, process " "does not answer: its node"
	[ $status -ne 0 ] && [ $status -ne 124 ] # of timeout
	gone
	plug_in
	on node1 "${mpirun[@]}" bin/g500 run --resume "$work/cut" >"$work/resumed.out" 2>&1 || true
	has "$work/resumed.out" "come from an earlier run" VALID
}

# plug_in: reconnects node3, and waits until the nodes have noticed.
plug_in() {
	ip link set to-node3 up
	until ip link show to-node3 | grep -q 'state UP'; do sleep 0.1; done
	sleep 1
}

# gone: waits until no process of the benchmark runs on any node. Ended ones may wait for process 1 to reap them.
gone() {
	for _ in $(seq 200); do
		pgrep -x -r D,R,S,T g500 >/dev/null || return 0
		sleep 0.1
	done
	ps -ax -o pid,stat,args
	return 1
}

start_slurm() {
	mkdir "$work/slurm"
	on node1 scripts/one-slurm.sh start "$work/slurm" node1=10.0.0.1 node2=10.0.0.2 node3=10.0.0.3
}

# cluster.sbatch on three nodes, with fewer tasks because of few cores.
three_nodes() {
	local job
	job=$(submit --nodes=3 --ntasks-per-node=2 slurm/cluster.sbatch configs/tiny.toml "$work/nodes" --keys 16)
	valid "$job" "$work/nodes" 6
	has "$work/$job.out" "nodes: node1 (ranks 0-1), node2 (ranks 2-3), node3 (ranks 4-5)"
	alike "$work/one" "$work/nodes"
}

# first-run.sh as a job, which is cancelled during its last run: the finished steps are in the archive.
first_job() {
	local job
	job=$(KEYS=60000 SCALES=8 submit --nodes=2 --ntasks-per-node=1 slurm/first-run.sh "$work/job")
	searching "$work/job/bfs-scale8-auto" 3
	scancel "$job"
	ends "$job" CANCELLED
	has "$work/$job.out" "ended by a signal" "2 of 4 steps succeeded" "job.tar.gz: g500 report reads it"
	gone
	rm -r "$work/job"
	bin/g500 report "$work/job.tar.gz" | grep -F "1 run"
}

# A node of a job is disconnected and stays so: Slurm gives it up after SlurmdTimeout, requeues the job and starts it on
# the remaining nodes, where the run continues.
node_lost() {
	local job began
	job=$(submit --nodes=2 --ntasks-per-node=1 slurm/cluster.sbatch configs/tiny.toml "$work/lost" --keys 200)
	searching "$work/lost" 3
	ip link set to-node2 down
	began=$SECONDS
	until [ "$(state "$job")" = PENDING ]; do
		[ $((SECONDS - began)) -lt 120 ] || { scontrol show job "$job" && return 1; }
		sleep 0.5
	done
	echo "back in the queue after $((SECONDS - began)) s"
	starts_soon "$job" "$(cat "$work/node1.pid")"
	valid "$job" "$work/lost" 2
	has "$work/$job.out" "(node node2, process " "does not answer: its node" \
		"nodes: node1 (rank 0), node3 (rank 1)" "come from an earlier run"
}

hostname login
mount -t tmpfs shm /dev/shm # MPI's files there are named after nodes and jobs, like those of another such test
add_nodes
step "one process" one_process
step "three nodes have the result of one process" three_nodes_mpi
step "a first run on three nodes" first_run
step "a disconnected node" disconnect
if [ "$user" -ne 0 ]; then
	finish
	lacks "Slurm on three nodes needs root"
fi
step "Slurm on three nodes" start_slurm
if [ "$failed" -eq 0 ]; then
	step "three nodes of Slurm have the result of one process" three_nodes
	step "a first run as a cancelled job" first_job
	step "a lost node" node_lost
fi
finish
