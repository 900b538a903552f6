# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# slurm-jobs.sh: functions for jobs of a test's Slurm (bash, read with "." after steps.sh). The output of a job is in
# $work/JOB.out; the reading script sets work.
# shellcheck disable=SC2154

# submit ...: submits a job and prints its number.
submit() { sbatch --parsable --output="$work/%j.out" "$@"; }

state() { scontrol --oneliner show job "$1" | sed -n 's/.* JobState=\([A-Z_]*\) .*/\1/p'; }

# ends JOB STATE: waits until the job has ended, and fails if its state is another one.
ends() {
	local now
	for _ in $(seq 600); do
		now=$(state "$1")
		case $now in
		PENDING | RUNNING | COMPLETING | CONFIGURING | SIGNALING) sleep 0.2 ;;
		"$2") return ;;
		*) break ;;
		esac
	done
	echo "job $1 is $now and should be $2; it printed:"
	tail -n 200 "$work/$1.out" 2>&1
	return 1
}

# starts_soon JOB [PROCESS]: starts a requeued job after two seconds instead of two minutes. It cannot start in the same
# second, in which Slurm revokes its old credentials, nor before its old steps have removed their folders. PROCESS is on
# the job's first node, by default this one.
starts_soon() {
	for _ in $(seq 100); do
		[ "$(state "$1")" != PENDING ] || pgrep --ns "${2-$$}" --nslist net -x slurmstepd >/dev/null || break
		sleep 0.2
	done
	scontrol update "JobId=$1" StartTime=now+2
}

# searches FOLDER: prints the number of searches that the run in the folder has stored.
searches() {
	if [ -e "$1/searches.jsonl" ]; then wc -l <"$1/searches.jsonl"; else echo 0; fi
}

# searching FOLDER N: waits until the run in the folder has stored at least N searches.
searching() {
	for _ in $(seq 1200); do
		[ "$(searches "$1")" -lt "$2" ] || return 0
		sleep 0.05
	done
	echo "the run in $1 does not reach search $2"
	return 1
}

# graph_of FOLDER: prints the results of searches that depend only on the graph: roots, edges, vertices, levels.
graph_of() { cut -d , -f 1,2,4,5,7,8 "$1/searches.csv"; }

# alike FOLDER FOLDER: the searches of two runs have the same keys and results.
alike() { diff <(graph_of "$1") <(graph_of "$2"); }

# has FILE TEXT...: the file has lines with each of these texts.
has() {
	local file=$1 text
	shift
	for text; do
		grep -qF -- "$text" "$file" || { echo "$file does not say \"$text\":" && tail -n 40 "$file" && return 1; }
	done
}

# valid JOB FOLDER RANKS: the job is completed, and its run is VALID with this number of ranks. The daemons of Slurm and
# Open MPI write to the same file, those of a disconnected node even after the run's last line.
valid() {
	ends "$1" COMPLETED
	grep -qx VALID "$work/$1.out" || { echo "job $1 is not VALID; it printed:" && tail -n 40 "$work/$1.out" && return 1; }
	has "$work/$1.out" "num_mpi_processes:              $3"
	has "$2/official.txt" VALID
}
