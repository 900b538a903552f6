#!/bin/sh
# with-mpi.sh              names the Open MPI that programs can be built with ("Open MPI 4.1.4")
# with-mpi.sh COMMAND ...  runs a command, such as go build -tags mpi, with that Open MPI's flags for cgo
# Where there is none, it says what is missing on standard error and fails. MPICC names another compiler wrapper
# than mpicc. The flags go before those that comm and gompi have in their sources, which fit Debian and Ubuntu.
set -eu

missing() {
	echo "$1" >&2
	exit 1
}

if command -v "${MPICC:-mpicc}" >/dev/null; then
	wrapper=${MPICC:-mpicc}
	compile=$("$wrapper" -showme:compile 2>/dev/null) || missing "$wrapper is not Open MPI's"
	link=$("$wrapper" -showme:link)
	version=$("$wrapper" -showme:version 2>&1 | sed -n 's/.*\(Open MPI [^ ]*\).*/\1/p')
elif [ -z "${MPICC-}" ] && pkg-config --exists ompi-c 2>/dev/null; then
	compile=$(pkg-config --cflags ompi-c) link=$(pkg-config --libs ompi-c)
	version="Open MPI $(pkg-config --modversion ompi-c)"
else
	missing "no ${MPICC:-mpicc} found"
fi

cc=$(go env CC)
command -v "${cc%% *}" >/dev/null || missing "no C compiler found ($cc)"
# shellcheck disable=SC2086 # the flags are several words
printf '#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }\n' |
	$cc $compile -x c - -o /dev/null $link 2>/dev/null || missing "$cc cannot build a program with $version"

if [ $# -eq 0 ]; then
	echo "$version"
else
	CGO_ENABLED=1 CGO_CFLAGS="${CGO_CFLAGS:--O2 -g} $compile" CGO_LDFLAGS="${CGO_LDFLAGS:--O2 -g} $link" exec "$@"
fi
