#!/usr/bin/env bash
# one-slurm.sh start FOLDER [NAME=ADDRESS...]   starts a Slurm, for tests: munge, slurmctld, and slurmd on this machine;
#                                               or on each host that is named, of which the first gets slurmctld
# one-slurm.sh stop FOLDER                      cancels its jobs and ends it; where none runs there is nothing to do
#
# All its files lie in FOLDER; after "start", SLURM_CONF=FOLDER/slurm.conf leads Slurm's commands to it. It needs root
# and Debian's slurm-wlm and munge, and touches neither their configuration in /etc nor a Slurm that runs here already.
# Hosts are reached by the command that ON_HOST names, which is given a host's name and what to run there.
#
# Each node pretends to have 4 CPUs and 4 GPUs, whatever the machine has: batch files are tried as they will be used.
# There is neither systemd nor a cgroup in it, and no task is bound to a CPU.
set -euo pipefail
action=$1
folder=$(readlink -f "${2:?FOLDER is missing}")
shift 2
export SLURM_CONF=$folder/slurm.conf
hosts=("$@")
[ $# -gt 0 ] || hosts=("$(hostname -s)=127.0.0.1")

# write_configuration: munge and Slurm are told of files in the folder only.
write_configuration() {
	cat >"$SLURM_CONF" <<-EOF
		ClusterName=one
		SlurmctldHost=${hosts[0]%=*}(${hosts[0]#*=})
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
	for host in "${hosts[@]}"; do
		echo "NodeName=${host%=*} NodeAddr=${host#*=} CPUs=4 RealMemory=1000 Gres=gpu:4" >>"$SLURM_CONF"
	done
	echo "Name=gpu File=$folder/gpu[0-3]" >"$folder/gres.conf"
}

# start_daemons: munge would refuse a folder above its socket that others may write to, as /tmp is, without --force.
start_daemons() {
	munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munged.pid" \
		--log-file="$folder/munge/log" --seed-file="$folder/munge/seed" --origin=127.0.0.1
	${ON_HOST:+"$ON_HOST" "${hosts[0]%=*}"} slurmctld -c
	for host in "${hosts[@]}"; do
		mkdir -p "$folder/spool-${host%=*}" "$folder/tmp-${host%=*}"
		${ON_HOST:+"$ON_HOST" "${host%=*}"} slurmd
	done
}

# wait_for_nodes: they report within a second.
wait_for_nodes() {
	for _ in $(seq 300); do
		[ "$(sinfo --noheader --format=%T 2>/dev/null)" != idle ] || return 0
		sleep 0.1
	done
	echo "Slurm's nodes do not come up:" >&2
	sinfo >&2 || true
	tail -n 20 "$folder"/*.log >&2
	return 1
}

start() {
	mkdir -p "$folder/state" "$folder/munge"
	chmod 0711 "$folder/munge"
	(umask 077 && head -c 1024 /dev/urandom >"$folder/munge/key")
	for i in 0 1 2 3; do # stand-ins for /dev/nvidia0 to 3, which nothing opens
		ln -sf /dev/null "$folder/gpu$i"
	done
	write_configuration
	start_daemons
	wait_for_nodes
}

# end_process PID: tells it to end, and waits until it has.
end_process() {
	kill "$1" 2>/dev/null || return 0
	for _ in $(seq 50); do
		case $(ps -o stat= -p "$1") in
		"" | Z*) return ;;
		esac
		sleep 0.1
	done
	kill -KILL "$1"
}

# stop: jobs first, for their processes would outlive the daemons.
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
