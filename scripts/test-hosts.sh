#!/usr/bin/env bash
# test-hosts.sh: runs on three hosts, with Open MPI over TCP and under Slurm, and cuts one off. The hosts are network
# namespaces of this machine, each with a name of its own, joined by a bridge; they share its files, as a cluster does.
#
# All of it, processes too, is in namespaces that the kernel takes away with this script. Without root, in a user's own
# namespaces, Slurm is left out.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh
. scripts/slurm-jobs.sh

namespaces=(--net --uts --mount --pid --fork --kill-child --mount-proc)
[ "$(id -u)" -eq 0 ] || namespaces+=(--map-root-user)

if [ "${1-}" != inside ]; then
	why=$(unshare "${namespaces[@]}" true 2>&1) ||
		lacks "three hosts take namespaces (CAP_SYS_ADMIN in a container), and this machine allows none: $why"
	scripts/install-deps.sh gcc libc6-dev make openmpi-bin libopenmpi-dev iproute2 procps slurm-wlm munge
	links='ip link add lan type bridge && ip link add cable type veth peer name socket'
	why=$(unshare "${namespaces[@]}" sh -c "$links" 2>&1) ||
		lacks "three hosts take a bridge and cables, and this machine's kernel has none: $why"
	make --no-print-directory build MPI=1 CUDA=0
	work=$(mktemp -d)
	unshare "${namespaces[@]}" "$0" inside "$work" "$(id -u)" &
	# It does not hear of a signal to this script; with it goes all that it has started.
	trap 'kill -KILL $! 2>/dev/null || true; wait || true; sleep 0.5; rm -rf "$work"' EXIT
	wait $!
	exit
fi

work=$2 user=$3
export TMPDIR=$work ON_HOST=$work/on SLURM_CONF=$work/slurm/slurm.conf
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm_rsh_agent=$ON_HOST # where others have ssh
mpirun=(timeout 100 mpirun --tune slurm/openmpi.conf --host "host1:2,host2:2,host3:2" --bind-to none -n 6)
run=(run --config configs/tiny.toml --keys 16) # of the runs that are compared

# on HOST COMMAND...: runs a command on a host, joined to one line as ssh does. It is a program, for mpirun.
write_on() {
	cat >"$ON_HOST" <<-EOF
		#!/bin/sh
		host=\$1
		shift
		exec nsenter --target "\$(cat "$work/\$host.pid")" --net --uts sh -c "\$*"
	EOF
	chmod +x "$ON_HOST"
}
on() { "$ON_HOST" "$@"; }

# add_host N: host1 has the address 10.0.0.1. A process that sleeps keeps its namespaces.
add_host() {
	unshare --net --uts sh -c "hostname host$1; touch '$work/host$1.up'; exec sleep infinity" </dev/null &
	echo $! >"$work/host$1.pid"
	until [ -e "$work/host$1.up" ]; do sleep 0.05; done
	ip link add "to-host$1" type veth peer name eth0 netns $!
	ip link set "to-host$1" master lan up
	on "host$1" "ip link set lo up && ip addr add 10.0.0.$1/24 dev eth0 && ip link set eth0 up"
}

add_hosts() {
	write_on
	ip link set lo up
	ip link add lan type bridge
	ip link set lan up
	ip addr add 10.0.0.254/24 dev lan # of the machine from which jobs are submitted
	for i in 1 2 3; do add_host $i; done
}

one_process() { bin/g500 "${run[@]}" --output "$work/one" 2>/dev/null | tail -n 1 | grep -x VALID; }

three_hosts() {
	local output=(--output "$work/three" --log-dir "$work/logs")
	on host1 "${mpirun[@]}" bin/g500 "${run[@]}" "${output[@]}" >"$work/three.out" 2>&1 || true
	has "$work/three.out" "nodes: host1 (ranks 0-1), host2 (ranks 2-3), host3 (ranks 4-5)"
	[ "$(tail -n 1 "$work/three.out")" = VALID ]
	has "$work/logs/rank-0005.log" "on node host3 the 2. of 2" "begins: kernel 1"
	alike "$work/one" "$work/three"
}

# The cable of host3 is pulled out in the middle of a run. mpirun names it and ends the job everywhere; host3 ends its
# part by itself. Plugged in again, the run goes on.
cut_off() {
	local job began=$SECONDS
	on host1 "${mpirun[@]}" bin/g500 run --scale 14 --keys 200 --output "$work/cut" >"$work/cut.out" 2>&1 &
	job=$!
	searching "$work/cut" 3
	ip link set to-host3 down
	! wait $job || { echo "a job that lost a host ends well" && return 1; }
	echo "told after $((SECONDS - began)) s"
	has "$work/cut.out" "lost communication with a remote daemon" "on node host3"
	gone
	plug_in
	on host1 "${mpirun[@]}" bin/g500 run --resume "$work/cut" >"$work/resumed.out" 2>&1 || true
	has "$work/resumed.out" "come from an earlier run" VALID
}

# plug_in: the cable is in again, and a moment later the hosts know of it.
plug_in() {
	ip link set to-host3 up
	until ip link show to-host3 | grep -q 'state UP'; do sleep 0.1; done
	sleep 1
}

# gone: no process of the benchmark is left on any host.
gone() {
	for _ in $(seq 200); do
		pgrep -x g500 >/dev/null || return 0
		sleep 0.1
	done
	ps -ax -o pid,stat,args
	return 1
}

start_slurm() {
	mkdir "$work/slurm"
	on host1 scripts/one-slurm.sh start "$work/slurm" host1=10.0.0.1 host2=10.0.0.2 host3=10.0.0.3
}

# The file with a third node, and fewer tasks for the sake of few cores.
three_nodes() {
	local job
	job=$(submit --nodes=3 --ntasks-per-node=2 slurm/cluster.sbatch configs/tiny.toml "$work/nodes" --keys 16)
	valid "$job" "$work/nodes" 6
	has "$work/$job.out" "nodes: host1 (ranks 0-1), host2 (ranks 2-3), host3 (ranks 4-5)"
	alike "$work/one" "$work/nodes"
}

# A node of a job is cut off for good: Slurm gives it up after SlurmdTimeout, puts the job back into the queue and
# starts it on the nodes that are left, where it goes on.
node_lost() {
	local job began
	job=$(submit --nodes=2 --ntasks-per-node=2 slurm/cluster.sbatch configs/tiny.toml "$work/lost" --keys 200)
	searching "$work/lost" 3
	ip link set to-host2 down
	began=$SECONDS
	until [ "$(state "$job")" = PENDING ]; do
		[ $((SECONDS - began)) -lt 120 ] || { scontrol show job "$job" && return 1; }
		sleep 0.5
	done
	echo "back in the queue after $((SECONDS - began)) s"
	starts_soon "$job"
	valid "$job" "$work/lost" 4
	has "$work/$job.out" "Node failure on host2" "nodes: host1 (ranks 0-1), host3 (ranks 2-3)" "come from an earlier run"
}

hostname login
add_hosts
step "one process" one_process
step "three hosts find what one does" three_hosts
step "a host that is cut off" cut_off
if [ "$user" -ne 0 ]; then
	finish
	lacks "Slurm on three hosts takes root"
fi
step "a Slurm on three hosts" start_slurm
if [ "$failed" -eq 0 ]; then
	step "three nodes of a Slurm find what one process does" three_nodes
	step "a node that is cut off" node_lost
fi
finish
