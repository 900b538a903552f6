#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A scaling study with one job for each size, on the nodes of this size:
#
#   slurm/study.sh STUDY.toml FOLDER [OPTION...]                   OPTIONs are of sbatch, for all jobs
#   bin/g500 scale STUDY.toml --output FOLDER --tables             the tables of the runs so far
#
# The same command submits the sizes again that have missing runs. With --dependency=singleton the jobs run one after
# another. A size whose job cannot be submitted stays "not run yet" in the tables.

set -euo pipefail
program=${G500:-bin/g500}
[ $# -ge 2 ] || { echo "slurm/study.sh STUDY.toml FOLDER [OPTION of sbatch...]" >&2 && exit 2; }
study=$1 folder=$2
shift 2
failed=0
plan=$("$program" scale "$study" --output "$folder" --plan)
while read -r size nodes missing; do
	[ "$missing" -gt 0 ] || continue
	if job=$(sbatch --nodes="$nodes" "$@" slurm/study.sbatch "$study" "$folder" --only "$size"); then
		echo "$size: $job"
	else
		failed=1
	fi
done < <(awk 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
	NR > 1 {print $1, $at["nodes"], $at["missing"]}' <<<"$plan")
exit $failed
