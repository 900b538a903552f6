#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sanitize.sh FOLDER: runs the short tests of packages in and below gpu/, compiled into a folder by "go test -c", with
# each tool of compute-sanitizer: accesses out of bounds, races in shared memory, reads of memory that nobody wrote,
# barriers that not all threads reach. With NVCCFLAGS=-lineinfo in the build, faults come with their lines.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

tests=$(readlink -f "$1")

sanitizer=$(command -v compute-sanitizer || command -v /usr/local/cuda/bin/compute-sanitizer) ||
	{ echo "no compute-sanitizer found; it comes with the CUDA toolkit, put it on the PATH" >&2; exit 1; }

# sanitized TOOL FLAGS...: the tests of all packages, each from the folder of its package, where its files are.
sanitized() {
	local test folder
	for test in "$tests"/*.test; do
		folder=gpu/$(basename "$test" .test)
		[ "$folder" != gpu/gpu ] || folder=gpu
		(cd "$folder" && "$sanitizer" --tool "$1" --target-processes all --error-exitcode 1 --print-limit 20 \
			"$test" -test.short -test.timeout 30m "${@:2}") || return
	done
}

# Tests that start mpirun are left out: what it starts would run outside the tool, or take turns on one GPU for far
# longer than the rest.
for tool in memcheck initcheck synccheck; do
	step "gpu under $tool" sanitized "$tool" -test.skip 'OnMPI|HiddenGPUs'
done
# racecheck makes searches about 100 times slower, and loses kernels if ranks that share a GPU build graphs.
few='TestConformance$/exchange=auto/transport=peer/bits=64/(one_edge|two_stars|hubs|s8)/ranks=[12]'
few+='|TestPathsAreBellmanFords/(one_edge|two_stars|a_chain_with_leaves),_(even|zeros),'
few+='|TestSharesEqualTheReference/1_ranks,_.limits:.round:0_|TestValidatorOnDeepTrees|TestValidatorFindsFarTuples'
few+='|TestFullPages'
step "gpu under racecheck" sanitized racecheck -test.run "$few"
finish
