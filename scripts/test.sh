#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh: all tests, for "make test". The MPI tests need Open MPI, which is installed if possible; otherwise they are
# skipped, or fail in CI.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

# Packages that start goroutines run their short tests under the race detector, which is slow. "make race" runs all
# tests of all packages.
concurrent=(./comm/... ./internal/infile ./internal/par ./internal/watchdog ./kronecker)
race() { CGO_ENABLED=1 scripts/gotest.sh -race -short "${concurrent[@]}"; }

if [ -n "$(mpi_gap)" ]; then
	scripts/install-deps.sh gcc libc6-dev openmpi-bin libopenmpi-dev ||
		echo "the MPI tests need Open MPI: install it"
fi

echo "this takes about four minutes on two cores; the first time it also fetches modules from the network"
if [[ ${GOFLAGS-} != *-mod=vendor* ]] && ! modules=$(go mod download 2>&1); then # the offline bundle contains them
	echo "$modules" >&2
	case $modules in
	*x509* | *certificate*) echo "modules cannot be fetched without CA certificates: install ca-certificates" >&2 ;;
	*) echo "the modules cannot be fetched; without a network use another machine's \"make offline-bundle\"" >&2 ;;
	esac
	exit 1
fi

# With an MPI library, unit tests are compiled as MPI tests are, so that both are compiled once.
gap=$(mpi_gap)
if [ -z "$gap" ]; then
	step "unit tests" scripts/with-mpi.sh scripts/gotest.sh -tags "$(scripts/with-mpi.sh --tags)" -skip MPI ./...
	step "MPI tests on 1, 2, 3, 4 and 7 ranks" make --no-print-directory test-mpi
	step "a whole run on 4 MPI ranks" ends_valid make --no-print-directory run-mpi
else
	step "unit tests" scripts/gotest.sh ./...
	skip "MPI tests" "$gap"
fi
# The race detector needs cgo, and so a C compiler.
if command -v "$(go env CC)" >/dev/null; then
	step "race detector" race
else
	skip "race detector" "there is no C compiler"
fi
finish
