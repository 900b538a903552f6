#!/usr/bin/env bash
# test-operator.sh: goes the operator's whole way, as on a machine that has nothing of it: install, make, start Slurm,
# submit, resume after a kill, a scaling study, report and submission. On Debian, as root; all but the installed packages
# is in a folder of its own, with a copy of the sources, and is taken away at the end.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh
. scripts/slurm-jobs.sh

if [ "$(id -u)" -ne 0 ]; then
	skip "the operator's way" "a Slurm of its own takes root"
	finish
	exit
fi
work=$(mktemp -d)
trap 'scripts/one-slurm.sh stop "$work/slurm"; rm -rf "$work"' EXIT
mkdir "$work/slurm"
export SLURM_CONF=$work/slurm/slurm.conf
git clone --quiet . "$work/g500" # and what is not committed yet
git ls-files -z --cached --others --exclude-standard |
	while IFS= read -r -d '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done |
	tar -c --null -T - | tar -x -C "$work/g500"
cd "$work/g500"

look() {
	bin/g500 version
	bin/g500 doctor | grep '^largest graph'
}

# A kill in the middle, and the same line again.
submit_and_resume() {
	local job line="slurm/node.sbatch configs/laptop.toml results/first"
	# shellcheck disable=SC2086 # several words
	job=$(submit $line)
	searching results/first 5
	scancel "$job"
	ends "$job" CANCELLED
	# shellcheck disable=SC2086
	job=$(submit $line)
	valid "$job" results/first 4
	has "$work/$job.out" "come from an earlier run" "NBFS:                           64"
	tail -n 8 "$work/$job.out"
}

study() {
	local job
	job=$(submit --nodes=1 slurm/sweep.sbatch weak configs/tiny.toml results/weak)
	ends "$job" COMPLETED
	has results/weak/ranks-4/official.txt "SCALE:                          16"
}

report() {
	bin/g500 report results/weak
	[ -s results/weak/report/index.html ]
	[ "$(wc -l <results/weak/report/runs.csv)" -eq 4 ] # three runs below the line of names
}

submission() {
	bin/g500 submission results/first
	[ -s results/first/submission/system.txt ]
}

step "install" scripts/install-deps.sh gcc libc6-dev make openmpi-bin libopenmpi-dev slurm-wlm munge procps
step "make" make MPI=1 CUDA=0
step "look at the machine" look
step "start Slurm" scripts/one-slurm.sh start "$work/slurm"
step "submit, kill, resume" submit_and_resume
step "a scaling study" study
step "report" report
step "submission" submission
finish
