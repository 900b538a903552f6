#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures a node with NVIDIA GPUs: validated runs on 1, 2, 4, ... GPUs, with weak and strong scaling and both
# transports, one after the other, each into its own folder.
#
#   scripts/measure-node.sh FOLDER [SCALE]     SCALE of one GPU, by default 26
#
# The other runs also start after a failed or invalid run; the exit status then is 1.
set -uo pipefail
cd "$(dirname "$0")/.."

out=${1:?name a folder for the results: scripts/measure-node.sh FOLDER [SCALE]}
base=${2:-26}
gpus=$(nvidia-smi -L 2>/dev/null | wc -l)
[ "$gpus" -gt 0 ] || { echo "nvidia-smi finds no GPU here" >&2; exit 1; }
mkdir -p "$out"

failed=0

# run NAME RANKS FLAGS...: one run with a trace; stores its command and output with the results.
run() {
	local folder=$out/$1 ranks=$2
	shift 2
	local command=(bin/g500 run --engine gpu --trace "$@")
	[ "$ranks" = 1 ] || command=(mpirun -np "$ranks" --bind-to none "${command[@]}")
	echo "== ${command[*]}"
	"${command[@]}" --output "$folder" >"$out/output" || failed=1
	mkdir -p "$folder"
	mv "$out/output" "$folder/output.txt"
	echo "${command[*]}" >"$folder/command.txt"
	grep -E '^(harmonic mean|VALID|INVALID)' "$folder/output.txt"
}

run "gpus1-scale$base" 1 --scale "$base"
scale=$base
for ((ranks = 2; ranks <= gpus; ranks *= 2)); do
	scale=$((scale + 1))
	for size in "$scale" "$base"; do
		run "gpus$ranks-scale$size" "$ranks" --scale "$size"
		run "gpus$ranks-scale$size-mpi" "$ranks" --scale "$size" --gpu-transport mpi
	done
done
exit $failed
