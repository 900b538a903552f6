#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test-arm.sh: runs the tests of the official generator, compiled for Arm (arm64, without cgo), under qemu-user: its
# figures must be the same bits; and the tests of nontemporal, in assembly. test-arm.sh all: runs the tests of
# every package that start no other program, except analysis/collect, which compares all digits of intervals, and the
# last ones differ by the processor. scripts/test-dist.sh runs the program for Arm.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

scripts/install-deps.sh qemu-user-static || lacks "qemu-user-static"
packages="./kronecker ./internal/nontemporal"
if [ "${1-}" = all ]; then
	others='analysis/collect|cmd/|comm$|comm/commtest|/cuda|/gpu|results'
	others+='|internal/(browsertest|jobtest|lock|mutationtest|repolint)'
	packages=$(go list ./... | grep -vE "$others")
fi
# shellcheck disable=SC2086 # several packages
GOARCH=arm64 CGO_ENABLED=0 go test -count=1 -timeout 30m -exec qemu-aarch64-static $packages
