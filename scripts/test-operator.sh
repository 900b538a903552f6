#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test-operator.sh: does the work of an operator on a new machine: install, make, start Slurm, submit, resume after a
# kill, scaling studies, report with its page in a browser, and submission. On Debian, as root. Except for installed
# packages, all files are in a temporary folder with a copy of the sources.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh
. scripts/slurm-jobs.sh

[ "$(id -u)" -eq 0 ] || lacks "a Slurm needs root"
work=$(mktemp -d)
trap 'scripts/one-slurm.sh stop "$work/slurm"; rm -rf "$work"' EXIT
mkdir "$work/slurm"
export SLURM_CONF=$work/slurm/slurm.conf
git clone --quiet . "$work/g500" # and then the uncommitted files
git ls-files -z --cached --others --exclude-standard |
	while IFS= read -r -d '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done |
	tar -c --null -T - | tar -x -C "$work/g500"
cd "$work/g500"

# The files of "make install" work: the program, its manual page, and completion in bash.
# shellcheck disable=SC1091,SC2317 # system files, which call the functions defined here
installed() {
	PATH=$work/usr/bin:$PATH
	[ "$(command -v g500)" = "$work/usr/bin/g500" ]
	g500 version
	g500 doctor | grep '^largest graph'
	has "$work/usr/share/man/man1/g500-run.1" "set the number of vertices"
	. /usr/share/bash-completion/bash_completion
	. "$work/usr/share/bash-completion/completions/g500"
	compopt() { :; } # only interactive shells have it
	COMP_WORDS=(g500 subm) COMP_CWORD=1 COMP_LINE="g500 subm" COMP_POINT=9 COMP_TYPE=9 COMPREPLY=()
	__start_g500
	[ "${COMPREPLY[*]}" = submission ]
}

# A job is cancelled during its run, and submitted again.
submit_and_resume() {
	local job line="slurm/node.sbatch configs/laptop.toml runs/first --trace"
	# shellcheck disable=SC2086 # several words
	job=$(submit $line)
	searching runs/first 5
	scancel "$job"
	ends "$job" CANCELLED
	# shellcheck disable=SC2086
	job=$(submit $line)
	valid "$job" runs/first 4
	has "$work/$job.out" "come from an earlier run" "NBFS:                           64"
	grep -A 6 '^harmonic mean' "$work/$job.out"
}

# g500 scale in a job, with repeats; it starts the ranks by srun.
study() {
	local job
	cat >study.toml <<-EOF
		scaling = "strong"
		scales = [14]
		ranks = [1, 2, 4]
		repeats = 2
		flags = ["--threads", "1", "--trace"]
		launch = ["srun", "--ntasks={ranks}"]
	EOF
	job=$(submit slurm/study.sbatch study.toml runs/study)
	ends "$job" COMPLETED
	has "$work/$job.out" "6 of 6 runs valid" "scale 14, 1 rank: "
}

# The page of the report works in a browser.
report() {
	bin/g500 report runs
	has runs/report/runs.csv first, study/scale14-ranks4-run2
	scripts/check-page.sh runs/report/index.html
}

# The resumed run has searches of two constructions, and is refused; an uninterrupted run is packed.
submission() {
	if bin/g500 submission runs/first >refused; then return 1; fi
	has refused "NOT MET  all searches on one construction"
	bin/g500 submission runs/study/scale14-ranks4-run1
	[ -s runs/study/scale14-ranks4-run1/submission/system.txt ]
}

step "install" scripts/install-deps.sh \
	gcc libc6-dev make openmpi-bin libopenmpi-dev slurm-wlm munge procps bash-completion
step "make" make MPI=1 CUDA=0
step "make install" make MPI=1 CUDA=0 PREFIX="$work/usr" install
step "the installed program, and the machine" installed
step "start Slurm" scripts/one-slurm.sh start "$work/slurm"
step "submit, kill, resume" submit_and_resume
step "a scaling study by g500 scale" study
step "report, and its page in a browser" report
step "submission" submission
finish
