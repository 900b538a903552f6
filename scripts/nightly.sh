#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# nightly.sh: tests that take too long for each change, for "make nightly": all Go tests under the race detector, every
# case in the emulator, the laboratory for GPUs compiled, tests for Arm under qemu, the MPI tests each on every number
# of ranks, a run with MPICH, a release for x86-64 and Arm, all mutants, a minute of fuzz per target, and 1,000 random
# jobs. Its last line has the numbers.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

cpp_lane() {
	step "every emulated case" scripts/test-emulated.sh all
	if gap=$(scripts/with-cuda.sh 2>&1); then
		step "make lab CUDA=1" make lab CUDA=1 CUDA_ARCH=90 BIN=build/gpu/g500
		step "registers that kernels spill, with the laboratory's" scripts/check-spills.sh
	else
		skip "make lab CUDA=1" "$gap"
	fi
}

go_lane() {
	step "MPI tests, each on all numbers of ranks" make test-mpi MPI_TEST_RANKS="1 2 3 4 7"
	step "a whole run on 2 ranks of MPICH" ends_valid make run-mpi MPICC=mpicc.mpich NP=2 BIN=build/mpich/g500
	step "race detector, all tests" make race
	step "Arm, every package" scripts/test-arm.sh all
	step "make dist" scripts/test-dist.sh
	step "1,000 random jobs" make random-jobs JOBS=1000 SEED="$(date +%j)"
}

mutants_lane() { step "mutants" make mutants; }

fuzz_lane() { step "fuzz" make fuzz FUZZTIME="${FUZZTIME:-60s}"; }

# Side by side on eight cores or more; fewer would let tests pass their time limits.
for lane in cpp go mutants fuzz; do
	in_lane 0 "$lane" "${lane}_lane"
	[ "$(nproc)" -ge 8 ] || join_lanes
done
join_lanes
finish | sed '$ s/^/nightly: /'
