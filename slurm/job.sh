# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# job.sh: functions of the batch files (bash, read with "." in the folder in which sbatch was called).

# The program: G500, by default bin/g500 of this folder.
program=${G500:-bin/g500}

refuse() {
	echo "$1" >&2
	exit 2
}

# check_program: finds a program that is missing or cannot start ranks.
check_program() {
	command -v "$program" >/dev/null ||
		refuse "there is no program $program in $PWD; build it with make, or set G500=FILE"
	! grep -q 'no MPI' <<<"$("$program" version)" || refuse "$program was built without MPI: rebuild it with make MPI=1"
}

# in_job USAGE ARGUMENT: refuses to run outside of a job or without the first argument.
in_job() {
	[ -n "${SLURM_JOB_ID-}" ] || refuse "this is a batch file: sbatch $1"
	[ -n "$2" ] || refuse "the first argument is missing: sbatch $1"
}

# check CONFIG: finds errors before the run starts.
check() {
	in_job "slurm/NAME.sbatch CONFIG [FOLDER [FLAG...]]" "$1"
	check_program
	"$program" run --config "$1" --print-config >/dev/null || # which prints the error
		refuse "CONFIG is a file, relative to the folder in which sbatch was called ($PWD), or the name of a preset"
}

# use_nodes: sets options of srun by its variables.
use_nodes() {
	export SLURM_MPI_TYPE=${SLURM_MPI_TYPE:-pmix}   # PMIx makes the tasks one MPI job; MPICH may need pmi2
	export SLURM_DISTRIBUTION=block:block           # neighbouring ranks on one node and socket, like the GPUs
	export SRUN_CPUS_PER_TASK=$((SLURM_CPUS_ON_NODE / SLURM_NTASKS_PER_NODE)) # without it a task has only one CPU
	export SLURM_CPU_BIND=cores                     # binds each task to its cores, for which Go starts a thread each
	export SLURM_KILL_BAD_EXIT=1                    # a failed rank ends the others, too
}

# use_tasks RANKS: sets the array launch to the command that starts ranks on this number of the job's tasks, on as few
# nodes as possible.
use_tasks() {
	use_nodes
	launch=(srun --nodes=$((($1 + SLURM_NTASKS_PER_NODE - 1) / SLURM_NTASKS_PER_NODE)) --ntasks="$1")
}

# benchmark RANKS CONFIG FOLDER [FLAG...]: runs the benchmark on this number of the job's tasks and stores the run in
# FOLDER. An incomplete run in FOLDER is resumed; a complete one is not repeated.
benchmark() {
	local ranks=$1 config=$2 folder=$3 run=()
	shift 3
	if grep -qs '"status": "VALID"' "$folder/run.json"; then
		echo "the run in $folder is complete"
		return
	elif grep -Eqs '"status": "(INVALID|UNVALIDATED)"' "$folder/run.json"; then
		refuse "the run in $folder has ended and is not VALID: see $folder/run.json; start a new run in another folder"
	elif [ -e "$folder/run.json" ]; then
		run=(--resume "$folder")
	else
		run=(--config "$config" --output "$folder")
	fi

	use_tasks "$ranks"
	run=("$program" run "${run[@]}" "$@")
	echo "$(date +%FT%T) ${run[*]}, $ranks ranks of $SLURM_JOB_NODELIST"
	{ "${launch[@]}" "${run[@]}" 2>&1 >&3 | tee "$errors" >&2; } 3>&1
}

# The last run's standard error.
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT

# resumable FOLDER: whether the same command can complete the last run: it was stopped or killed, or it lost a node.
# Then the only errors of g500 are those of MPI calls, and of a rank that has ended or does not answer.
resumable() {
	local rank='rank [0-9]+( \([^)]*\))?'
	local lost_rank="^g500: (($rank: )?comm: (AllReduce|AllToAll|AllGather|MPI)|$rank (has ended|does not answer))"
	! grep -Eqs '"status": "INVALID"' "$1/run.json" &&
		! grep -Eqv "$lost_rank" < <(grep '^g500: ' "$errors")
}

# await_node_failure: if a rank's node is lost, waits until Slurm has noticed it, too. Slurm then ends the
# job and, unless it was submitted with --no-requeue, starts it again on other nodes.
await_node_failure() {
	grep -q '^g500: .* does not answer: its node' "$errors" || return 0
	local seconds
	seconds=$(scontrol show config 2>/dev/null | sed -n 's/^SlurmdTimeout *= *\([0-9]*\).*/\1/p')
	seconds=$((${seconds:-300} + 30))
	echo "a node is lost: Slurm has $seconds s to notice" >&2
	sleep "$seconds" &
	wait $!
}

# not_done FOLDER: ends a job that has failed or was stopped.
not_done() {
	if resumable "$1"; then
		await_node_failure
		echo "the run is incomplete; submit the same again with the folder $1 to continue it" >&2
	else
		# Some queues requeue every failed job.
		scontrol update "JobId=$SLURM_JOB_ID" Requeue=0 2>/dev/null || true
		echo "the same again would fail again: first fix the error of g500 above" >&2
	fi
	exit 1
}
