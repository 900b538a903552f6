# shellcheck shell=bash
# slurm-jobs.sh: jobs of a Slurm under test (bash, read with "." after steps.sh). All that a job prints is in
# $work/JOB.out; who reads this sets work.
# shellcheck disable=SC2154

# submit ...: sbatch, which answers with the job's number.
submit() { sbatch --parsable --output="$work/%j.out" "$@"; }

state() { scontrol --oneliner show job "$1" | sed -n 's/.* JobState=\([A-Z_]*\) .*/\1/p'; }

# ends JOB STATE: waits until the job has ended, and fails if it did not end like that.
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
	tail -n 40 "$work/$1.out" 2>&1
	return 1
}

# starts_soon JOB: a job that was put back into the queue would wait there for two minutes. It cannot start in the same
# second, in which its old credentials are taken back.
starts_soon() {
	for _ in $(seq 100); do
		[ "$(state "$1")" != PENDING ] || break
		sleep 0.2
	done
	scontrol update "JobId=$1" StartTime=now+2
}

# searches FOLDER: how many searches the run in it has on disk.
searches() {
	if [ -e "$1/searches.jsonl" ]; then wc -l <"$1/searches.jsonl"; else echo 0; fi
}

# searching FOLDER N: waits until the run in it has at least N searches.
searching() {
	for _ in $(seq 1200); do
		[ "$(searches "$1")" -lt "$2" ] || return 0
		sleep 0.05
	done
	echo "the run in $1 does not come to search $2"
	return 1
}

# graph_of FOLDER: what its searches found, which depends on the graph alone: roots, edges, vertices, levels.
graph_of() { cut -d , -f 1,2,4,5,7,8 "$1/searches.csv"; }

# alike FOLDER FOLDER: the same keys, and the same found from each.
alike() { diff <(graph_of "$1") <(graph_of "$2"); }

# has FILE TEXT...: the file has lines with each of these texts.
has() {
	local file=$1 text
	shift
	for text; do
		grep -qF -- "$text" "$file" || { echo "$file does not say \"$text\":" && tail -n 40 "$file" && return 1; }
	done
}

# valid JOB FOLDER RANKS: the job ended well, and its run is what it was asked for. Slurm's and Open MPI's daemons write
# to the same file, those of a host that was cut off even after the run's last line.
valid() {
	ends "$1" COMPLETED
	grep -qx VALID "$work/$1.out" || { echo "job $1 is not VALID; it printed:" && tail -n 40 "$work/$1.out" && return 1; }
	has "$work/$1.out" "num_mpi_processes:              $3"
	has "$2/official.txt" VALID
}
