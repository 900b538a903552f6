#!/usr/bin/env bash
# test-carriers.sh: what moves words between the ranks' GPUs, tested without a GPU: under a driver whose devices are the
# host's memory, with an NCCL for tests, and with an MPI library that says that it takes device memory. No kernel runs.
# It needs CUDA and Open MPI or MPICH for compiling, and build/libg500cuda.a (make CUDA=1).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

at=$PWD/build/carriers
tags=cuda,$(scripts/with-mpi.sh --tags)

library() { "${CC:-cc}" -shared -fPIC -O1 -Wall -Wextra -o "$at/$1" "${@:2}"; }

build() {
	mkdir -p "$at"
	# shellcheck disable=SC2016 # the flags are those of with-cuda.sh
	scripts/with-cuda.sh sh -c 'eval "${CC:-cc} -shared -fPIC $CGO_CFLAGS" -o \"$0\" gpu/device/testdata/driver.c' \
		"$at/libcuda.so.1"
	library libnccl.so.2 comm/nccl/testdata/fake.c -lpthread
	library aware.so comm/testdata/aware.c
	scripts/with-mpi.sh scripts/with-cuda.sh go test -c -tags "$tags" -o "$at/device.test" ./gpu/device
}

# carriers PATTERN VARIABLE=VALUE...: the tests of that name, with these variables set for all their processes.
carriers() {
	local pattern=$1
	shift
	cd gpu/device
	MPIRUN=$(../../scripts/with-mpi.sh --mpirun) env G500_TEST_CARRIERS=faked "LD_LIBRARY_PATH=$at:${LD_LIBRARY_PATH-}" \
		"$@" "$at/device.test" -test.timeout 5m -test.run "$pattern" -test.v >"$at/out" 2>&1 || { cat "$at/out"; false; }
	grep -q '^--- PASS' "$at/out"
}

step "a driver, NCCL and an MPI for tests" build
step "staging and peers" carriers '^(TestTransportOnLoopback|TestCarrierNames)$'
step "NCCL" carriers '^TestNCCL(Alone|OnLoopback|OnMPI|RankFails|RefusesSharedGPU)$'
step "without NCCL" carriers '^TestNCCLIsMissing$' G500_NCCL="$at/none"
step "MPI, staged and from device memory" carriers '^TestFromDeviceOnMPI$' LD_PRELOAD="$at/aware.so"
finish
