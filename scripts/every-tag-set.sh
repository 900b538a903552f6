#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# every-tag-set.sh COMMAND...: runs a command of the Go tools, such as go vet, with three sets of build tags that
# together select every Go file: with Open MPI and CUDA; without cgo and with MPICH, only packages with files for it.
# Without its library a set is reduced or skipped, which fails in CI.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

with_tags() { GOFLAGS="${GOFLAGS-} -tags=$1" "${@:2}"; }

# packages_for PATTERN: sets packages to those with files whose build constraints match.
packages_for() {
	mapfile -t packages < <(grep -rlE --include='*.go' --exclude-dir={build,vendor,'.?*'} "^//go:build .*$1" . |
		xargs -n 1 dirname | sort -u)
}

tags=results,browser,emulated with=()
if gap=$(scripts/with-mpi.sh --tags 2>&1); then
	tags+=,$gap with+=(scripts/with-mpi.sh)
else
	skip "$*, tag mpi" "$gap"
fi
if gap=$(scripts/with-cuda.sh 2>&1); then
	tags+=,cuda with+=(scripts/with-cuda.sh)
else
	skip "$*, tag cuda" "$gap"
fi
step "$*, tags $tags" with_tags "$tags" "${with[@]}" "$@" ./...
packages_for '!cgo'
CGO_ENABLED=0 step "$*, without cgo" "$@" "${packages[@]}"
if tags=$(MPICC=mpicc.mpich scripts/with-mpi.sh --tags 2>&1); then
	packages_for '[^!]mpich'
	MPICC=mpicc.mpich step "$*, tags $tags" with_tags "$tags" scripts/with-mpi.sh "$@" "${packages[@]}"
else
	skip "$*, tag mpich" "$tags"
fi
finish
