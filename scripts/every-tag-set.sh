#!/usr/bin/env bash
# every-tag-set.sh COMMAND...: runs a command of the Go tools, such as go vet ./..., once for each set of build tags
# that the sources know. One run of it sees only the files of one set. Without Open MPI, MPICH or CUDA the set that
# needs it is skipped, which in CI is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

with_tags() { GOFLAGS="${GOFLAGS-} -tags=$1" "${@:2}"; }

CGO_ENABLED=0 step "$*, tag results" with_tags results "$@" # these are all files without a tag, and a few more
CGO_ENABLED=0 step "$*, tag mpi without cgo" with_tags mpi "$@"
for wrapper in "${MPICC-}" mpicc.mpich; do
	if tags=$(MPICC=$wrapper scripts/with-mpi.sh --tags 2>&1); then
		MPICC=$wrapper step "$*, tags $tags" with_tags "$tags" scripts/with-mpi.sh "$@"
	else
		skip "$*, tag mpi of ${wrapper:-mpicc}" "$tags"
	fi
done
CGO_ENABLED=0 step "$*, tag cuda without cgo" with_tags cuda "$@"
if cuda=$(scripts/with-cuda.sh 2>&1); then
	step "$*, tag cuda ($cuda)" with_tags cuda scripts/with-cuda.sh "$@"
else
	skip "$*, tag cuda" "$cuda"
fi
finish
