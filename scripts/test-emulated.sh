#!/usr/bin/env bash
# Runs the kernels of a search on the CPU, thread by thread, on small graphs (cuda/emulator). It needs a C++ compiler, no CUDA.
#
# Three programs are built: of the search as it is, and with other numbers in its rules, by which small graphs too have levels
# that mark, and levels whose vertices go as pairs.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

[ "$(uname -m)" = x86_64 ] || { echo "the emulator switches stacks by x86-64 instructions; this is $(uname -m)" >&2; exit 1; }

# build NAME RULE...: copies the sources, in which launches are written as calls, changes rules (sed) and compiles.
build() {
	local at=build/emulated/$1
	shift
	rm -rf "$at"
	mkdir -p "$at"
	local launch='s/(\w+)<<<(.*), (\w+), 0, stream>>>\(/emulator::launch(\1, \2, \3, /'
	for source in cuda/*.cuh cuda/*.h cuda/search_{store,firsts}.cu; do sed -E "$launch" "$source" >"$at/${source##*/}"; done
	for rule in "$@"; do
		[ "$(sed -nE "${rule}p" "$at/search_rule.cuh" | wc -l)" = 1 ] || { echo "no such rule: $rule" >&2; return 1; }
		sed -i -E "$rule" "$at/search_rule.cuh"
	done
	local flags=(-std=c++17 -O2 -DG500_EMULATED -I"$at" -Icuda -Icuda/emulator -include cuda_runtime.h)
	for source in "$at"/*.cu cuda/emulator/*.cc; do
		"${CXX:-g++}" "${flags[@]}" -x c++ -c "$source" -o "$at/$(basename "$source").o" &
	done
	wait
	"${CXX:-g++}" -o "$at/search_test" "$at"/*.o
}

# rule NAME VALUE: another value of a constant.
rule() { echo "s/\\b$1 = [^;]*/$1 = $2/"; }

small=("$(rule kWholeEdges 40)" "$(rule kCheapSweep 0)" "$(rule kFewEdges 20)" "$(rule kAlpha 3)")
never=1000000000

emulated() {
	build "$@" && "build/emulated/$1/search_test"
}
step "searches as they are" emulated as-it-is
step "levels that mark" emulated marks "${small[@]}" "$(rule kMarkVertices 0)" "$(rule kMarkEdges 10)" "$(rule kMarkShare 1000)"
step "levels with pairs" emulated pairs "${small[@]}" "$(rule kMarkVertices $never)" "$(rule kMarkEdges $never)"
finish
