#!/usr/bin/env bash
# Measures a node with NVIDIA GPUs: official validated runs on one GPU and on all powers of two up to what the node has,
# weak and strong, by both transports, all on the same machine one after the other, into a folder each.
#
#   scripts/measure-node.sh FOLDER [SCALE]     SCALE is that of one GPU, 26 by default
#
# A run that fails or is invalid does not keep the others from running; the exit status says that there was one.
set -uo pipefail
cd "$(dirname "$0")/.."

out=${1:?name a folder for the results: scripts/measure-node.sh FOLDER [SCALE]}
base=${2:-26}
gpus=$(nvidia-smi -L 2>/dev/null | wc -l)
[ "$gpus" -gt 0 ] || { echo "nvidia-smi finds no GPU here" >&2; exit 1; }
mkdir -p "$out"

failed=0

# run NAME RANKS FLAGS...: one run with a trace, its command and its output beside the results.
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
