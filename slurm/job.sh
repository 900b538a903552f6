# shellcheck shell=bash
# job.sh: what the batch files have in common (bash, read with "." in the folder where sbatch was called).

# The program: bin/g500 of that folder, or what G500 names.
program=${G500:-bin/g500}

refuse() {
	echo "$1" >&2
	exit 2
}

# check CONFIG: everything that can be wrong before a node has worked.
check() {
	[ -n "${SLURM_JOB_ID-}" ] || refuse "this is a batch file: sbatch slurm/NAME.sbatch CONFIG [FOLDER [FLAG...]]"
	[ -n "$1" ] || refuse "no configuration is named: sbatch slurm/NAME.sbatch CONFIG [FOLDER [FLAG...]]"
	command -v "$program" >/dev/null ||
		refuse "there is no program $program in $PWD; build it with make, or name it: G500=FILE sbatch ..."
	! "$program" version | grep -q 'no MPI' || refuse "$program was built without MPI: rebuild it with make MPI=1"
	"$program" run --config "$1" --print-config >/dev/null || # which says what is wrong
		refuse "CONFIG is a file, named from the folder where sbatch was called ($PWD), or the name of a preset"
}

# benchmark RANKS CONFIG FOLDER [FLAG...]: runs that many of the job's tasks and keeps the run in FOLDER. If FOLDER
# has a run that was cut off, by a time limit or with its node, this goes on with it. A complete run is left alone.
benchmark() {
	local ranks=$1 config=$2 folder=$3 per_node=$SLURM_NTASKS_PER_NODE run=()
	shift 3
	if grep -qs '"status": "VALID"' "$folder/run.json"; then
		echo "the run in $folder is complete"
		return
	elif grep -Eqs '"status": "(INVALID|UNVALIDATED)"' "$folder/run.json"; then
		refuse "the run in $folder has ended, and is not VALID: see $folder/run.json; a new one needs another folder"
	elif [ -e "$folder/run.json" ]; then
		run=(--resume "$folder")
	else
		run=(--config "$config" --output "$folder")
	fi

	local options=(
		--nodes=$(((ranks + per_node - 1) / per_node))       # no more nodes than the ranks fill
		--ntasks="$ranks"                                    # one rank a task
		--mpi="${SLURM_MPI_TYPE:-pmix}"                      # PMIx makes the tasks one MPI job; MPICH may want pmi2
		--distribution=block:block                           # neighbouring ranks on one node and socket, like the GPUs
		--cpus-per-task=$((SLURM_CPUS_ON_NODE / per_node))   # srun gives a task one CPU only, where this is not said
		--cpu-bind=cores                                     # each task keeps to its cores, and Go starts a thread for each
		--kill-on-bad-exit=1                                 # a rank that dies ends the others too
	)
	run=("$program" run "${run[@]}" "$@")
	echo "$(date +%FT%T) ${run[*]}, $ranks ranks of $SLURM_JOB_NODELIST"
	{ srun "${options[@]}" "${run[@]}" 2>&1 >&3 | tee "$errors" >&2; } 3>&1
}

# sweep_ranks KIND TASKS: the numbers of ranks of a scaling study: powers of two, and at strong scaling all tasks. At
# weak scaling, where the graph doubles with the ranks, the study ends at a power of two, which standard error says.
sweep_ranks() {
	local ranks last=1
	for ((ranks = 1; ranks <= $2; ranks *= 2)); do
		echo $ranks
		last=$ranks
	done
	if [ $last -eq "$2" ]; then
		return
	elif [ "$1" = strong ]; then
		echo "$2"
	else
		echo "weak scaling doubles the ranks: $last of the job's $2 tasks are used, so start a power of two" >&2
	fi
}

# What the last run printed on standard error.
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT

# mendable FOLDER: whether the same again can help the run that failed last: it was told to stop, killed, or lost a
# node. Then g500 has said no error of its own but, at most, that MPI does not reach a rank any more.
mendable() {
	! grep -Eqs '"status": "INVALID"' "$1/run.json" &&
		! grep '^g500: ' "$errors" | grep -Eqv '^g500: (rank [0-9]+: )?comm: (AllReduce|AllToAll|AllGather|MPI)'
}

# not_done FOLDER: ends a job that has failed, or was told to stop.
not_done() {
	if mendable "$1"; then
		echo "not all was done; submit the same again with the folder $1, and it goes on where it was" >&2
	else
		# Some queues start every job again that fails.
		scontrol update "JobId=$SLURM_JOB_ID" Requeue=0 2>/dev/null || true
		echo "the same again would fail again: first mend what g500 says above" >&2
	fi
	exit 1
}
