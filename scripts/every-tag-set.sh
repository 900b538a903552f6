#!/usr/bin/env bash
# every-tag-set.sh COMMAND...: runs a command of the Go tools, such as go vet, with three sets of build tags that
# together select every Go file: without cgo; with Open MPI and CUDA; with MPICH, only packages with files for it.
# Without its library a set is reduced or skipped, which fails in CI.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

with_tags() { GOFLAGS="${GOFLAGS-} -tags=$1" "${@:2}"; }

with_cuda=()
CGO_ENABLED=0 step "$*, tags results, browser, without cgo" with_tags results,browser "$@" ./...
if cuda=$(scripts/with-cuda.sh 2>&1); then
	with_cuda=(env scripts/with-cuda.sh)
else
	skip "$*, tag cuda" "$cuda"
fi
if tags=$(scripts/with-mpi.sh --tags 2>&1); then
	tags=$tags${with_cuda:+,cuda}
	step "$*, tags $tags" with_tags "$tags" scripts/with-mpi.sh "${with_cuda[@]}" "$@" ./...
else
	skip "$*, tag mpi" "$tags"
fi
if tags=$(MPICC=mpicc.mpich scripts/with-mpi.sh --tags 2>&1); then
	mapfile -t packages < <(grep -rl --include='*.go' --exclude-dir={build,vendor,'.?*'} '^//go:build .*[^!]mpich' . |
		xargs -n 1 dirname | sort -u)
	MPICC=mpicc.mpich step "$*, tags $tags" with_tags "$tags" scripts/with-mpi.sh "$@" "${packages[@]}"
else
	skip "$*, tag mpich" "$tags"
fi
finish
