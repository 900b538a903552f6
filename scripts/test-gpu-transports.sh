#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test-gpu-transports.sh tests the transports between ranks' GPUs without a GPU: under a test driver whose devices are
# host memory, with a test NCCL, and with an MPI library that claims to accept device memory. No kernel runs.
# It needs CUDA and Open MPI or MPICH for compiling, and build/libg500cuda.a (make CUDA=1).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

at=$PWD/build/gpu-transports
tags=cuda,$(scripts/with-mpi.sh --tags)

library() { "${CC:-cc}" -shared -fPIC -O1 -Wall -Wextra -o "$at/$1" "${@:2}"; }

build() {
	mkdir -p "$at"
	# shellcheck disable=SC2016 # with-cuda.sh sets the flags
	scripts/with-cuda.sh sh -c 'eval "${CC:-cc} -shared -fPIC $CGO_CFLAGS" -o \"$0\" gpu/device/testdata/driver.c' \
		"$at/libcuda.so.1"
	library libnccl.so.2 comm/nccl/testdata/fake.c -lpthread
	library aware.so comm/testdata/aware.c
	scripts/with-mpi.sh scripts/with-cuda.sh go test -c -tags "$tags" -o "$at/" ./gpu/device ./cuda ./gpu/kernel1
}

# transports PATTERN VARIABLE=VALUE...: runs the tests of that name with these variables set for all their processes.
transports() {
	local pattern=$1
	shift
	cd gpu/device
	MPIRUN=$(../../scripts/with-mpi.sh --mpirun) env G500_TEST_GPU_TRANSPORTS=faked \
		"LD_LIBRARY_PATH=$at:${LD_LIBRARY_PATH-}" "$@" "$at/device.test" -test.timeout 5m \
		-test.run "$pattern" -test.v >"$at/out" 2>&1 || { cat "$at/out"; false; }
	grep -q '^--- PASS' "$at/out"
}

step "a driver, NCCL and an MPI for tests" build
step "exchanges of searches level by level" env "LD_LIBRARY_PATH=$at:${LD_LIBRARY_PATH-}" "$at/cuda.test"
step "tuples in host memory" env "LD_LIBRARY_PATH=$at:${LD_LIBRARY_PATH-}" "$at/kernel1.test" -test.run 48Bits
step "staging and peers" transports '^TestTransport(OnLoopback|Domains|Names|OfPieces)$'
step "the automatic choice" transports '^Test(AutoChoosesByTrial|AutoWithoutNCCL|NCCLOfRanksDiffers|NoChoice)$'
step "MIG instances" transports '^TestMIGInstances$' G500_TEST_MIG=1
step "NCCL" transports '^TestNCCL(Alone|OnLoopback|Domains|OnMPI|RankFails|RefusesSharedGPU)$'
step "without NCCL" transports '^Test(NCCLIsMissing|AutoWithoutNCCL)$' G500_NCCL="$at/none"
step "MPI, staged and from device memory" transports '^TestFromDeviceOnMPI$' LD_PRELOAD="$at/aware.so" GOMAXPROCS=32
finish
