#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The first run on a cluster: doctor, net, and both kernels at three scales by each transport between GPUs that the
# nodes have, every tree validated. In the folder of g500, which all nodes must share:
#
#   sbatch -N 4 slurm/first-run.sh [FOLDER [FLAG...]]      # 2 to 8 nodes with four GPUs each
#   NODES=2 slurm/first-run.sh [FOLDER [FLAG...]]          # by mpirun, without Slurm
#   NODES=2 slurm/first-run.sh runs/try --emulate-nodes 2  # on two GPUs of this machine, or on its cores
#
# FOLDER, by default runs/first-JOB or runs/first-TIME, gets the output of each step, the runs, and summary.txt.
# FOLDER.tar.gz has all of it, for "g500 report FOLDER.tar.gz". FLAGs are flags of "g500 run". Options before the file's
# name replace those below. A failed step does not stop the others; the exit status then is 1. After SIGTERM the running
# step ends, and summary and archive are written, all within seconds. Variables, with their defaults:
#
#   SCALES="24 26 28"                on GPUs the largest by their memory and every second below it; on CPUs 16 18 20
#   TRANSPORTS="nccl mpi staged"     those that doctor finds, with peer+nccl if nodes have several ranks; on CPUs auto
#   KEYS=64                          search keys of each run
#   LIMIT=600                        seconds after which a step is ended
#   RANKS_PER_NODE=1                 without Slurm
#   MPIRUN="mpirun --tune slurm/openmpi.conf --bind-to none"    without Slurm; --host n1:1,n2:1 names the nodes, with a
#                                    slot for each rank

#SBATCH --job-name=g500-first    # name in squeue, and in the next line
#SBATCH --output=%x-%j.out       # the summary, in this folder
#SBATCH --nodes=2                # two nodes; -N 4 before the file's name makes them four
#SBATCH --switches=1@10:00       # below one switch, if such nodes are free within ten minutes
#SBATCH --exclusive              # no other jobs, which would disturb the times
#SBATCH --mem=0                  # all memory of each node, which --exclusive does not include
#SBATCH --ntasks-per-node=4      # four ranks per node
#SBATCH --gpus-per-node=4        # one per rank; each task sees all four, unlike with --gpus-per-task
#SBATCH --time=02:00:00          # time limit
#SBATCH --signal=B:TERM@60       # SIGTERM to this file one minute before the limit: it writes summary and archive
#SBATCH --no-requeue             # a second first run has a folder of its own

set -uo pipefail
. slurm/job.sh
check_program
if [ -n "${SLURM_JOB_ID-}" ]; then
	ranks=$SLURM_NTASKS per_node=$SLURM_NTASKS_PER_NODE NODES=$SLURM_NNODES name=first-$SLURM_JOB_ID
	use_tasks "$ranks"
else
	[[ ${NODES-} =~ ^[1-9][0-9]*$ ]] ||
		refuse "set the number of nodes: NODES=2 slurm/first-run.sh, or in Slurm: sbatch -N 2 slurm/first-run.sh"
	per_node=${RANKS_PER_NODE:-1} name=first-$(date +%F-%H%M%S)
	ranks=$((NODES * per_node))
	read -ra launch <<<"${MPIRUN:-mpirun --tune slurm/openmpi.conf --bind-to none} -n $ranks"
fi
folder=${1:-runs/$name}
while [[ $folder == */ ]]; do folder=${folder%/}; done # else the archive would be in it
flags=(--trace --keys "${KEYS:-64}" "${@:2}")
limit=${LIMIT:-600}
"$program" run "${flags[@]}" --print-config >/dev/null || # which prints the error
	refuse "correct KEYS, or the flags after FOLDER"
for made in "$folder" "$folder.tar.gz"; do
	[ ! -e "$made" ] || refuse "$made exists: name another folder"
done
mkdir -p "$folder" || exit 2

child='' stopped='' failed=0 done=0

stop() {
	stopped=yes
	[ -z "$child" ] || kill -TERM "$child" 2>/dev/null
}
trap stop TERM INT HUP

# step NAME COMMAND...: runs a command of g500 on all ranks, with its output in FOLDER/NAME.txt, and sets result to the
# reason of a failure, else to nothing.
step() {
	local output=$folder/$1.txt status=143 began=$SECONDS
	shift
	result="not run, because a signal ended the job"
	[ -z "$stopped" ] || return
	timeout --kill-after=10 "$limit" "${launch[@]}" "$program" "$@" </dev/null >"$output" 2>&1 &
	child=$!
	while kill -0 "$child" 2>/dev/null; do wait "$child"; done # a signal ends wait, too
	wait "$child" && status=0 || status=$?
	child=
	[ "$status" -ne 137 ] || [ $((SECONDS - began)) -lt "$limit" ] || status=124 # else SIGKILL has ended a rank
	case $stopped$status in
	0) result= ;;
	124) result="ended after its limit of $limit seconds: see $output" ;;
	yes*) result="ended by a signal" ;;
	*) result=$(reason "$output" "$status") ;;
	esac
}

# reason FILE STATUS: prints the error in the output of a step, else its last line.
reason() {
	local line
	line=$(grep -Em 1 '^(g500: |INVALID)' "$1" ||
		grep -Em 1 '^(mpirun (noticed|has|was)|srun: error|There are not enough)' "$1" ||
		grep -v '^[- ]*$' "$1" | tail -n 1)
	line=${line#g500: }
	echo "${line:-exit status $2, without a message}"
}

# row NAME SCALE TRANSPORT RATE: adds a line with the result of the last step to the summary.
row() {
	printf '%-7s %5s  %-10s %-10s  %s\n' "$1" "$2" "$3" "$4" "${result:-$5}" | tee -a "$folder/summary.txt"
	if [ -z "$result" ]; then done=$((done + 1)); else failed=$((failed + 1)); fi
}

# check_nodes: sets result to an error if doctor did not run on NODES nodes.
check_nodes() {
	local found
	found=$(grep -c '^node: ' "$folder/doctor.txt")
	[ -n "$result" ] || [ "$found" = "$NODES" ] || [[ " ${flags[*]}" == *" --emulate-nodes"* ]] ||
		result="the ranks are on $found nodes, not $NODES: in MPIRUN name each node with $per_node slots"
}

# choose: sets gpu, transports and scales by the output of doctor. TRANSPORTS and SCALES replace its choice.
choose() {
	local fits nccl
	fits=$(sed -n 's/.*, up to scale \([0-9]*\).*/\1/p' "$folder/doctor.txt" | sort -n | head -n 1) # of one GPU
	gpu='' transports=(auto) scales=(16 18 20)
	if [ -n "$fits" ]; then
		gpu=yes transports=(nccl mpi staged)
		[ "$per_node" -eq 1 ] || transports=(peer+nccl "${transports[@]}")
		nccl=$(grep -om 1 'no --gpu-transport nccl.*' "$folder/doctor.txt") && leave_out nccl "$nccl"
		grep -q 'its library is CUDA-aware' "$folder/doctor.txt" || leave_out mpi "the MPI library is not CUDA-aware"
		fits=$((fits - 1)) # without edge tuples in host memory
		for ((n = ranks; n > 1; n /= 2)); do fits=$((fits + 1)); done
		scales=($((fits - 4)) $((fits - 2)) "$fits")
	fi
	read -ra transports <<<"${TRANSPORTS:-${transports[*]}}"
	read -ra scales <<<"${SCALES:-${scales[*]}}"
}

# leave_out NAME REASON: removes a transport, also in combinations, from the choice.
leave_out() {
	local transport kept=()
	for transport in "${transports[@]}"; do
		[[ $transport == *"$1" ]] || kept+=("$transport")
	done
	transports=("${kept[@]}")
	[ -n "${TRANSPORTS-}" ] || echo "without transport $1: $2" | tee -a "$folder/summary.txt"
}

# by TRANSPORT: sets the array path to the flags of a transport between GPUs.
by() {
	path=()
	[ -z "$gpu" ] || path=(--engine gpu --gpu-transport "$1")
}

# measure: net by each transport, then the runs, short ones first.
measure() {
	local scale transport kernel run
	for transport in "${transports[@]}"; do
		by "$transport"
		step "net-$transport" net "${path[@]}"
		row net '' "$transport" '' "$(grep -m 1 '^slow:' "$folder/net-$transport.txt" 2>/dev/null || echo 'done')"
	done
	for scale in "${scales[@]}"; do
		for kernel in bfs sssp; do
			for transport in "${transports[@]}"; do
				by "$transport"
				run=$kernel-scale$scale-$transport
				step "$run" run "${path[@]}" --kernel "$kernel" --scale "$scale" \
					--output "$folder/$run" "${flags[@]}"
				row "$kernel" "$scale" "$transport" \
					"$(sed -n 's/^harmonic mean \([^,]*\),.*/\1/p' "$folder/$run.txt" 2>/dev/null)" VALID
			done
		done
	done
}

# pack: writes the archive.
pack() {
	tar -C "$(dirname "$folder")" -czf "$folder.tar.gz.part" "$(basename "$folder")" &&
		mv "$folder.tar.gz.part" "$folder.tar.gz" && echo "$folder.tar.gz: g500 report reads it"
}

{
	"$program" version
	echo "$(date +%FT%T) ${launch[*]}, at most $limit seconds a step"
	result=
	printf '%-7s %5s  %-10s %-10s  %s\n' step scale transport rate result
} | tee "$folder/summary.txt"
step doctor doctor
check_nodes
row doctor '' '' '' "$NODES nodes"
grep -E '^(MPI|GPUs): ' "$folder/doctor.txt" | sort -u | tee -a "$folder/summary.txt"
choose
measure
echo "$done of $((done + failed)) steps succeeded" | tee -a "$folder/summary.txt"
pack && [ "$failed" -eq 0 ]
