#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the kernels of the generator, kernel 1, searches, the validator and the laboratory on the CPU, thread by thread,
# on small graphs (cuda/emulator), from the same sources as on GPUs. It needs a C++ compiler, no CUDA.
# Most searches are on one number of ranks, and in blocks of 64 threads, which take less than half of the time.
# test-emulated.sh all: on each number of ranks, in blocks of as many threads as on GPUs. test-emulated.sh build: only
# compiles the tests. test-emulated.sh official: only compares the generator. test-emulated.sh child: only compiles the
# program of g500-lab --engine emulated.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname -m)" != x86_64 ]; then
	echo "the emulator switches stacks by x86-64 instructions; this is $(uname -m)" >&2
	exit 1
fi

at=build/emulated
compiler=$("${CXX:-g++}" --version | head -n 1)
case ${1-} in all | child) export G500_THREADS=256 ;; esac
flags=(-std=c++17 -O2 -DG500_EMULATED "-DG500_THREADS=${G500_THREADS:-64}" "-I$at" -Icuda/emulator -Icuda)
headers=$at/precompiled.h.gch # the compiler finds it in place of the header

# together COMMAND...: runs one command per core at a time, in this order; names the failed ones.
together() {
	printf '%s\n' "$@" | xargs -d '\n' -P "$(nproc)" -I '{}' sh -c '{} || { echo "FAILED: {}"; exit 1; }'
}

# fingerprint OBJECT: prints a hash of the compiler, its flags and all files of which the object is compiled.
fingerprint() {
	{
		echo "$compiler ${flags[*]}"
		[ "$1" = "$headers" ] || cat "$headers.hash"
		sed 's/^[^ ]*: / /; s/\\$//' "$1.d" | xargs sha256sum
	} | sha256sum
}

# compile SOURCE OBJECT: compiles a source, unless the object is of the same fingerprint.
compile() {
	[ ! -e "$2.hash" ] || [ "$(fingerprint "$2" 2>/dev/null)" != "$(cat "$2.hash")" ] || return 0
	rm -f "$2.hash"
	local how=(-include precompiled.h -x c++)
	[ "$2" != "$headers" ] || how=(-x c++-header)
	"${CXX:-g++}" "${flags[@]}" "${how[@]}" -MMD -MF "$2.d" -c "$1" -o "$2"
	fingerprint "$2" >"$2.hash"
}

# compile_all SOURCE...: compiles sources, the longest first, and sets kernels to the objects of the kernels.
compile_all() {
	mkdir -p "$at"
	local source object work=() # all at once need 10 GB of memory
	kernels=()
	compile cuda/emulator/precompiled.h "$headers"
	for source; do
		object=$at/$(basename "$source").o
		work+=("scripts/test-emulated.sh compile $source $object")
		[[ $source != *.cu ]] || kernels+=("$object")
	done
	together "${work[@]}"
}

# child: plugins use the emulator of the program that loads them.
child() {
	compile_all cuda/lab/{child.cc,*.cu} cuda/{color,pages}/*.cu cuda/kernel1/bins.cu cuda/common/{cub,timing}.cu \
		cuda/emulator/runtime.cc
	"${CXX:-g++}" -rdynamic -o "$at/g500-lab-child-emulated" "$at"/{child,runtime}.cc.o "${kernels[@]}" -ldl -lpthread
}

build() {
	local test
	child
	compile_all cuda/emulator/*.cc cuda/{generate,kernel1,search,sssp,validate,lab,color,pages}/*.cu \
		cuda/common/{cub,empty_level,searching,tiles,timing,trials}.cu
	rm -f "$at/kernels.a"
	ar rcs "$at/kernels.a" "${kernels[@]}" "$at"/{runtime,construction,job,path_ranks}.cc.o
	for test in generate kernel1 packed_rows weighted_rows validate validate_paths launch stall search sssp color \
		pages lab lab_parts; do
		"${CXX:-g++}" -o "$at/${test}_test" "$at/${test}_test.cc.o" "$at/kernels.a"
	done
	make -sB -C "$at" -f ../../cuda/lab/plugin/Makefile CUDA=../../cuda HEADERS=../../cuda/lab/plugin/ \
		SOURCES=../../cmd/g500-lab/testdata/ faulty-emulated.so
}

# official GRAPH: edges and weights have the checksums of the official generator's (kronecker/testdata).
official() {
	local golden=kronecker/testdata/$1.json array sum
	for array in edges:edges_sha256_packed12 weights:weights_sha256_f32le; do
		sum=$("$at/generate_test" "$2" "$3" "$4" "${array%:*}" | sha256sum | cut -d ' ' -f 1)
		grep -q "\"${array#*:}\": \"$sum\"" "$golden" || { echo "$1: ${array%:*} differ from the official ones"; return 1; }
	done
}

official_graphs() {
	official s3_ef16_seed2_3 3 2 3 && official s10_ef16_seed1_1 10 1 1 && official s12_ef16_seed2_3 12 2 3
}

case ${1-} in
build | child | compile)
	"$@"
	exit
	;;
official)
	official_graphs
	exit
	;;
esac
. scripts/steps.sh
step "generator, kernel 1, searches, the validator and the laboratory, compiled for the emulator" build
step "plugins and the emulated engine of the laboratory" go test -count=1 -tags emulated -run Emulated \
	./lab ./gpu/lab ./cmd/g500-lab
step "official edges and weights" official_graphs
# The longest first: the words are parts of the names of search_test's settings. Except in "all" some of them have each
# number of ranks, the others have one or two; packed rows have every third graph; shortest paths, kernel 1, the
# laboratory and pages have fewer graphs.
settings=("'small, with s' 4" "many 16" "'small, every'" "many 7" defaults "'64-bit labels,' 3" "'64-bit ids,' 3"
	"packed 3 3" "'small, in short' 2" "directed 4" far "'small, all' 3" "packed 1" queries) some=quick
if [ "${1-}" = all ]; then
	mapfile -t settings < <(printf '%s\n' "${settings[@]%% [0-9]*}" | awk '!seen[$0]++')
	some=
fi
settings=("${settings[@]/#/$at/search_test }")
step "searches, shortest paths, graphs built, verdicts, lost launches and the laboratory, on small graphs" together \
	"$at/sssp_test $some" "$at/lab_test lab/strategies.toml $some" "${settings[@]}" "$at/sssp_test directed $some" \
	"$at/pages_test $some" "$at/kernel1_test $some" \
	"$at/"{packed_rows,weighted_rows,stall,launch,color,lab_parts,validate,validate_paths}_test
finish
