#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# one-slurm.sh start FOLDER [NAME=ADDRESS...]   starts Slurm for tests: munge, slurmctld, and slurmd on this machine or
#                                               on each named node; slurmctld runs on the first node
# one-slurm.sh stop FOLDER                      cancels its jobs and ends it, if it runs
#
# All files are in FOLDER; Slurm's commands find it by SLURM_CONF=FOLDER/slurm.conf. It needs root and Debian's
# slurm-wlm and munge. It does not use their configuration in /etc, and does not disturb another running Slurm. ON_NODE
# is a command that runs another one on a node: ON_NODE NAME COMMAND.
#
# Each node claims to have 4 CPUs and 4 GPUs, so that the batch files run unchanged. It uses neither systemd nor
# cgroups, and binds no task to a CPU.
set -euo pipefail
action=$1
folder=$(readlink -f "${2:?FOLDER is missing}")
shift 2
export SLURM_CONF=$folder/slurm.conf
nodes=("$@")
[ $# -gt 0 ] || nodes=("$(hostname -s)=127.0.0.1")

# write_configuration: munge and Slurm use only files in the folder.
write_configuration() {
	cat >"$SLURM_CONF" <<-EOF
		ClusterName=one
		SlurmctldHost=${nodes[0]%=*}(${nodes[0]#*=})
		SlurmctldPort=16817
		SlurmdPort=16818
		SlurmUser=root
		SlurmdUser=root
		AuthType=auth/munge
		AuthInfo=socket=$folder/munge/socket
		CredType=cred/munge
		StateSaveLocation=$folder/state
		SlurmdSpoolDir=$folder/spool-%n
		TmpFS=$folder/tmp-%n
		SlurmctldPidFile=$folder/slurmctld.pid
		SlurmdPidFile=$folder/slurmd-%n.pid
		SlurmctldLogFile=$folder/slurmctld.log
		SlurmdLogFile=$folder/slurmd-%n.log
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		GresTypes=gpu
		SlurmdParameters=config_overrides
		SchedulerParameters=batch_sched_delay=0,sched_interval=1
		ReturnToService=2
		SlurmdTimeout=10
		KillWait=5
		PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	EOF
	for node in "${nodes[@]}"; do
		echo "NodeName=${node%=*} NodeAddr=${node#*=} CPUs=4 RealMemory=1000 Gres=gpu:4" >>"$SLURM_CONF"
	done
	echo "Name=gpu File=$folder/gpu[0-3]" >"$folder/gres.conf"
}

# start_daemons: without --force munge refuses a socket below a folder such as /tmp, to which others may write.
start_daemons() {
	munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munged.pid" \
		--log-file="$folder/munge/log" --seed-file="$folder/munge/seed" --origin=127.0.0.1
	${ON_NODE:+"$ON_NODE" "${nodes[0]%=*}"} slurmctld -c
	for node in "${nodes[@]}"; do
		mkdir -p "$folder/spool-${node%=*}" "$folder/tmp-${node%=*}"
		${ON_NODE:+"$ON_NODE" "${node%=*}"} slurmd
	done
}

# wait_for_nodes: waits until all nodes are idle, usually for a second.
wait_for_nodes() {
	for _ in $(seq 300); do
		[ "$(sinfo --noheader --format=%T 2>/dev/null)" != idle ] || return 0
		sleep 0.1
	done
	echo "Slurm's nodes do not start:" >&2
	sinfo >&2 || true
	tail -n 20 "$folder"/*.log >&2
	return 1
}

start() {
	mkdir -p "$folder/state" "$folder/munge"
	chmod 0711 "$folder/munge"
	(umask 077 && head -c 1024 /dev/urandom >"$folder/munge/key")
	for i in 0 1 2 3; do # instead of /dev/nvidia0 to 3; no program opens them
		ln -sf /dev/null "$folder/gpu$i"
	done
	write_configuration
	start_daemons
	wait_for_nodes
}

# end_process PID: ends the process, and waits for its end.
end_process() {
	kill "$1" 2>/dev/null || return 0
	for _ in $(seq 50); do
		case $(ps -o stat= -p "$1") in
		"" | Z*) return 0 ;;
		esac
		sleep 0.1
	done
	kill -KILL "$1" 2>/dev/null || true
}

# stop: ends jobs first, because their processes would outlive the daemons.
stop() {
	scancel --user=root --signal=KILL --full 2>/dev/null || true
	for _ in $(seq 50); do
		[ -n "$(squeue --noheader 2>/dev/null)" ] || break
		sleep 0.1
	done
	for daemon in "$folder"/slurmd-*.pid "$folder/slurmctld.pid" "$folder/munged.pid"; do
		[ ! -s "$daemon" ] || end_process "$(cat "$daemon")"
	done
}

case $action in
start | stop) "$action" ;;
*) echo "usage: one-slurm.sh start|stop FOLDER" >&2 && exit 2 ;;
esac
