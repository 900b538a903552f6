#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test-slurm.sh: runs the batch files of slurm/ under a Slurm, which it starts on this machine and ends: on Debian, as
# root. It installs missing packages. Jobs get pretended GPUs and search on CPUs.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh
. scripts/slurm-jobs.sh

[ "$(id -u)" -eq 0 ] || lacks "a Slurm needs root"
scripts/install-deps.sh gcc libc6-dev make openmpi-bin libopenmpi-dev slurm-wlm munge procps
built

work=$(mktemp -d)
trap 'scripts/one-slurm.sh stop "$work/slurm"; rm -rf "$work"' EXIT
export SLURM_CONF=$work/slurm/slurm.conf
mkdir "$work/slurm"

one_process() { bin/g500 run --config configs/tiny.toml --output "$work/one" 2>/dev/null | tail -n 1 | grep -x VALID; }

# node.sbatch unchanged: one node, four tasks, four GPUs.
one_node() {
	local job
	job=$(submit slurm/node.sbatch tiny "$work/node")
	valid "$job" "$work/node" 4
	alike "$work/one" "$work/node"
}

# A node without GPUs, and flags after the folder.
without_gpus() {
	local job
	job=$(submit --gpus-per-node=0 --ntasks-per-node=2 slurm/node.sbatch configs/tiny.toml "$work/cpus" --engine cpu)
	valid "$job" "$work/cpus" 2
	alike "$work/one" "$work/cpus"
}

# Each task must see all GPUs of its node, because the ranks write into each other's memory.
all_gpus() {
	local job
	cat >"$work/program" <<-'EOF'
		#!/bin/sh
		[ "$1" = version ] || echo "task $SLURM_PROCID sees $CUDA_VISIBLE_DEVICES, $OMPI_COMM_WORLD_SIZE$PMIX_RANK"
	EOF
	chmod +x "$work/program"
	job=$(G500=$work/program submit slurm/node.sbatch configs/tiny.toml "$work/none")
	ends "$job" COMPLETED
	for task in 0 1 2 3; do
		has "$work/$job.out" "task $task sees 0,1,2,3, $task"
	done
}

# Errors have a message and fail the job.
failures() {
	local job
	job=$(submit slurm/node.sbatch nowhere.toml)
	ends "$job" FAILED
	has "$work/$job.out" "there is no preset \"nowhere.toml\"" "or the name of a preset"
	job=$(G500=nowhere submit slurm/node.sbatch configs/tiny.toml)
	ends "$job" FAILED
	has "$work/$job.out" "there is no program nowhere"
	job=$(submit slurm/node.sbatch configs/tiny.toml "$work/fails" --edges nowhere)
	ends "$job" FAILED
	has "$work/$job.out" "cannot read the edge list" "the same again would fail again"
	grep -q ' Requeue=0 ' <<<"$(scontrol --oneliner show job "$job")"
	job=$(submit slurm/study.sbatch nowhere.toml)
	ends "$job" FAILED
	has "$work/$job.out" "cannot read the study: nowhere.toml"
	bash slurm/node.sbatch configs/tiny.toml 2>"$work/outside" || [ $? -eq 2 ]
	has "$work/outside" "this is a batch file"
}

# srun without PMIx: g500 refuses several tasks with a message, and runs one task without MPI.
without_pmix() {
	local type
	for type in none pmi2; do
		! timeout 60 srun "--mpi=$type" --ntasks=2 bin/g500 run --engine cpu --scale 8 >"$work/no-pmix" 2>&1
		has "$work/no-pmix" "use srun --mpi=pmix"
		timeout 60 srun "--mpi=$type" --ntasks=1 bin/g500 run --engine cpu --scale 8 >"$work/one-task" 2>&1
		has "$work/one-task" VALID
	done
}

# A run of some seconds, which is interrupted after a part of it.
long="configs/tiny.toml $work/long --keys 2000"

# Slurm sends SIGTERM before the time limit of a job, up to half a minute early. The ranks are stopped until then, so
# that the run cannot end before on a fast machine.
time_limit() {
	local job
	# shellcheck disable=SC2086 # several words
	job=$(submit --time=1 --signal=TERM@60 slurm/node.sbatch $long)
	searching "$work/long" 3
	scancel --signal=STOP "$job"
	for _ in $(seq 120); do
		! grep -q 'STEP .* CANCELLED' "$work/$job.out" || break
		sleep 0.5
	done
	scancel --signal=CONT "$job" || true # ranks may already run again after SIGTERM
	ends "$job" FAILED
	has "$work/$job.out" "stopped by a signal" "INVALID: incomplete" "the run was interrupted" "with the folder $work/long"
	cp "$work/long/searches.jsonl" "$work/kept"
}

# In the next part of the same run a rank is killed, as if memory ran out: the other ranks end, too, and all reported
# searches are stored.
killed() {
	local job reported
	# shellcheck disable=SC2086
	job=$(submit slurm/node.sbatch $long)
	searching "$work/long" $(($(wc -l <"$work/kept") + 3))
	kill -KILL "$(scontrol listpids "$job.0" | awk '$5 == 1 { print $1 }')"
	ends "$job" FAILED
	has "$work/$job.out" "task 1: Killed" "with the folder $work/long"
	reported=$(sed -n 's,^search[a-z]* [0-9-]*\b\([0-9][0-9]*\)/.*,\1,p' "$work/$job.out" | tail -n 1)
	[ "$(searches "$work/long")" -ge "${reported:-0}" ]
	cp "$work/long/searches.jsonl" "$work/kept"
}

# The third part is requeued, as after the failure of a node, and completes the run.
requeued() {
	local job
	# shellcheck disable=SC2086
	job=$(submit slurm/node.sbatch $long)
	searching "$work/long" $(($(wc -l <"$work/kept") + 3))
	scontrol requeue "$job"
	starts_soon "$job"
	valid "$job" "$work/long" 4
	has "$work/$job.out" "come from an earlier run"
	cmp --bytes="$(stat -c %s "$work/kept")" "$work/kept" "$work/long/searches.jsonl"
	[ "$(searches "$work/long")" -eq 2000 ]
	# shellcheck disable=SC2086
	job=$(submit slurm/node.sbatch $long)
	ends "$job" COMPLETED
	has "$work/$job.out" "is complete"
}

# study RANKS: writes a study of weak scaling on these numbers of ranks, on nodes of four.
study() {
	cat >"$work/study.toml" <<-EOF
		scaling = "weak"
		scales = [10]
		ranks = [$1]
		ranks_per_node = 4
		flags = ["--threads", "1", "--engine", "cpu", "--keys", "8"]
		launch = ["srun", "--nodes={nodes}", "--ntasks={ranks}"]
	EOF
}

# All sizes of a study in one job.
study_in_one_job() {
	local job ranks
	study 1,2,4
	job=$(submit slurm/study.sbatch "$work/study.toml" "$work/one-job")
	ends "$job" COMPLETED
	has "$work/$job.out" "3 of 3 runs valid" "Weak scaling, scale 10 per rank: "
	for ranks in 1 2 4; do
		has "$work/one-job/scale1$((ranks / 2))-ranks$ranks-run1/official.txt" VALID "num_mpi_processes:              $ranks"
	done
}

# One job per size. The one of two nodes stays in the queue, because there is one node; then it fails on that node. The
# tables have it with its reason, and only its size is submitted again.
study_in_jobs() {
	local sizes="$work/submitted" jobs=()
	study 1,4,8
	slurm/study.sh "$work/study.toml" "$work/jobs" --output="$work/%j.out" >"$sizes"
	[ "$(cut -d : -f 1 "$sizes" | paste -s -d ' ')" = "1 4 8" ]
	mapfile -t jobs < <(sed 's/.* //' "$sizes")
	ends "${jobs[0]}" COMPLETED
	ends "${jobs[1]}" COMPLETED
	scancel "${jobs[2]}"
	bin/g500 scale "$work/study.toml" --output "$work/jobs" --tables >"$work/tables"
	has "$work/tables" "      8     13  0 of 1  not run yet" "      4     12       1"
	jobs=("$(submit slurm/study.sbatch "$work/study.toml" "$work/jobs" --only 8)")
	ends "${jobs[0]}" FAILED
	bin/g500 scale "$work/study.toml" --output "$work/jobs" --tables >"$work/tables"
	has "$work/tables" "      8     13  0 of 1  INVALID: " "srun: error: "
	slurm/study.sh "$work/study.toml" "$work/jobs" --hold --output="$work/%j.out" >"$sizes"
	[ "$(cut -d : -f 1 "$sizes")" = 8 ]
	scancel "$(sed 's/.* //' "$sizes")"
}

# health LINE [LIMITS]: Slurm uses slurm/health.sh as LINE of its configuration, with these limits.
health() {
	cat >"$work/health" <<-EOF
		#!/bin/sh
		export SLURM_CONF=$SLURM_CONF G500=$PWD/bin/g500 G500_HEALTH=$work/limits G500_PROMETHEUS=$work/g500_doctor.prom
		exec $PWD/slurm/health.sh
	EOF
	chmod +x "$work/health"
	echo "${2-}" >"$work/limits"
	sed -i '/^HealthCheck\|^Prolog/d' "$SLURM_CONF"
	printf '%s\n' "$1" >>"$SLURM_CONF"
	scontrol reconfigure
}

# node_is STATE [REASON]: waits until the node has this state and reason.
node_is() {
	for _ in $(seq 100); do
		if grep "State=[A-Z+]*$1" <<<"$(scontrol --oneliner show node)" | grep -qF -- "${2-}"; then return; fi
		sleep 0.2
	done
	scontrol show node
	tail -n 20 "$work/slurm"/*.log
	return 1
}

# As a health check, health.sh drains a node that fails a check, and neither an idle healthy one nor one with wrong
# limits. As a prolog it drains the node, too, and the job is requeued.
node_health() {
	local check job
	check=$(printf 'HealthCheckProgram=%s\nHealthCheckInterval=1\nHealthCheckNodeState=ANY' "$work/health")
	health "$check" "--min-cores 1"
	for _ in $(seq 50); do
		[ ! -e "$work/g500_doctor.prom" ] || break
		sleep 0.2
	done
	has "$work/g500_doctor.prom" "g500_doctor_healthy 1"
	echo "--no-such-flag" >"$work/limits"
	sleep 3
	node_is IDLE
	echo "--min-cores 1 --min-memory-gib 100000" >"$work/limits"
	node_is DRAIN "of memory, at least 97.7 TiB"
	has "$work/g500_doctor.prom" "g500_doctor_healthy 0" 'g500_doctor_check{check="memory"} 0'
	health "" "--min-cores 1"
	scontrol update "NodeName=$(hostname -s)" State=RESUME
	node_is IDLE
	health "Prolog=$work/health" "--min-cores 100000"
	job=$(submit --wrap "echo started")
	node_is DRAIN "Prolog error"
	scancel "$job"
	health "" ""
	scontrol update "NodeName=$(hostname -s)" State=RESUME
	node_is IDLE
	! grep -qs started "$work/$job.out"
}

step "Slurm on this machine" scripts/one-slurm.sh start "$work/slurm"
if [ "$failed" -eq 0 ]; then
	step "one process" one_process
	step "one node" one_node
	step "one node without GPUs" without_gpus
	step "all tasks see all GPUs" all_gpus
	step "errors fail the job" failures
	step "srun without PMIx" without_pmix
	step "a time limit" time_limit
	step "a kill" killed
	step "a requeue, and the end" requeued
	step "a scaling study in one job" study_in_one_job
	step "a scaling study in one job per size" study_in_jobs
	step "node health" node_health
fi
finish
