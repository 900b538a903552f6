#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# health.sh: checks this node by "g500 doctor --check", for Slurm's HealthCheckProgram or Prolog (slurm.conf):
#
#   HealthCheckProgram=/opt/g500/slurm/health.sh
#   HealthCheckInterval=600
#   HealthCheckNodeState=IDLE
#
# As HealthCheckProgram it drains a node that fails a check, with the first fault as the reason, unless the node drains
# already. As Prolog it ends with 1; Slurm then drains the node and requeues the job. It never resumes a node. An error
# of g500 itself, such as an unknown flag, is no fault of the node: it is logged and changes nothing.
#
# The file named by G500_HEALTH, by default /etc/g500/health, has the limits of the nodes in one line of flags:
#
#   --min-memory-gib 500 --min-cores 64 --min-gpus 4 --min-gpu-memory-gib 79 --peers
#
# G500 is the program, by default bin/g500 of the folder above. G500_PROMETHEUS is a file for node_exporter's textfile
# collector, such as /var/lib/node_exporter/g500_doctor.prom; by default none is written.
set -uo pipefail

program=${G500:-$(dirname "$(readlink -f "$0")")/../bin/g500}
flags=(doctor --check)
[ -z "${G500_PROMETHEUS-}" ] || flags+=(--prometheus "$G500_PROMETHEUS")
if [ -r "${G500_HEALTH:=/etc/g500/health}" ]; then
	read -ra limits <"$G500_HEALTH"
	flags+=("${limits[@]}")
fi

faults=$(timeout 50 "$program" "${flags[@]}" 2>&1 >/dev/null) # Slurm ends a health check after 60 seconds
case $? in
0) exit 0 ;;
1) ;;
124) faults="g500: the check of the node did not end within 50 seconds" ;; # as if a GPU does not answer
*)
	logger --tag g500-health -- "g500 could not check this node: $faults"
	exit 0
	;;
esac
printf '%s\n' "$faults" >&2
[ -z "${SLURM_JOB_ID-}" ] || exit 1 # a prolog, which must not call Slurm's commands
node=${SLURMD_NODENAME:-$(hostname -s)}
grep -q 'State=[A-Z+]*DRAIN' <<<"$(scontrol --oneliner show node "$node")" ||
	scontrol update NodeName="$node" State=DRAIN Reason="$(head -n 1 <<<"$faults")"
