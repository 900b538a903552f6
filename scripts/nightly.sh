#!/usr/bin/env bash
# nightly.sh: tests that take too long for each change, for "make nightly": all Go tests under the race detector, every
# case in the emulator, the laboratory for GPUs compiled, the MPI tests each on every number of ranks, all mutants, a
# minute of fuzz per target, and 1,000 random jobs. Its last line has the numbers.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

step "every emulated case" scripts/test-emulated.sh all
if gap=$(scripts/with-cuda.sh 2>&1); then
	step "make lab CUDA=1" make lab CUDA=1 CUDA_ARCH=90 BIN=build/gpu/g500
	step "registers that kernels spill, with the laboratory's" scripts/check-spills.sh
else
	skip "make lab CUDA=1" "$gap"
fi
step "MPI tests, each on all numbers of ranks" make test-mpi MPI_TEST_RANKS="1 2 3 4 7"
step "race detector, all tests" make race
step "mutants" make mutants
step "fuzz" make fuzz FUZZTIME=60s
step "1,000 random jobs" make random-jobs JOBS=1000 SEED="$(date +%j)"
finish | sed '$ s/^/nightly: /'
