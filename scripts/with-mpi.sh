#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# with-mpi.sh              prints the version of the MPI library ("Open MPI 4.1.4", "MPICH 4.0.2")
# with-mpi.sh --tags       prints its build tags: mpi, or mpi,mpich
# with-mpi.sh --mpirun     prints the command that starts its ranks on this machine, for tests
# with-mpi.sh COMMAND ...  runs a command, such as go build -tags mpi, with the library's flags for cgo
#
# Without a library it prints the missing part on standard error and fails. MPICC is the compiler wrapper if it is not
# mpicc, MPIRUN the launcher if it is not next to the wrapper. The wrapper's output identifies the library: Open MPI,
# MPICH, or a library derived from MPICH. The flags precede those in comm and gompi, which are for Open MPI on Debian.
set -eu

missing() {
	echo "$1" >&2
	exit 1
}

# chosen PATTERN WORD...: prints the words that match a pattern of grep.
chosen() {
	pattern=$1
	shift
	printf '%s\n' "$@" | grep -E -e "$pattern" | tr '\n' ' '
}

# mpich_flags COMPILER WORD...: sets the flags from the command of MPICH's wrapper, and the version from mpi.h.
mpich_flags() {
	shift
	compile=$(chosen '^-[IDU]' "$@")
	link=$(chosen '^-[^IDU]' "$@")
	# shellcheck disable=SC2086 # the flags are several words
	version=$(printf '#include <mpi.h>\nmpich_is MPICH_VERSION\n' | $cc $compile -E -P -x c - 2>/dev/null |
		sed -n 's/^mpich_is "\(.*\)"$/MPICH \1/p')
	[ -n "$version" ] || missing "$wrapper is neither Open MPI's nor MPICH's"
	tags=mpi,mpich
}

cc=$(go env CC)
command -v "${cc%% *}" >/dev/null || missing "no C compiler found ($cc)"

wrapper=${MPICC:-mpicc}
mpirun=mpirun
tags=mpi
if command -v "$wrapper" >/dev/null; then
	case $wrapper in *mpicc*) mpirun=${wrapper%mpicc*}mpirun${wrapper##*mpicc} ;; esac
	if compile=$("$wrapper" -showme:compile 2>/dev/null); then
		link=$("$wrapper" -showme:link)
		version=$("$wrapper" -showme:version 2>&1 | sed -n 's/.*\(Open MPI [^ ]*\).*/\1/p')
	else
		shown=$("$wrapper" -show 2>/dev/null) || missing "$wrapper is neither Open MPI's nor MPICH's"
		# shellcheck disable=SC2086
		mpich_flags $shown
	fi
elif [ -z "${MPICC-}" ] && pkg-config --exists ompi-c 2>/dev/null; then
	compile=$(pkg-config --cflags ompi-c) link=$(pkg-config --libs ompi-c)
	version="Open MPI $(pkg-config --modversion ompi-c)"
else
	missing "no $wrapper found"
fi

# shellcheck disable=SC2086
printf '#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }\n' |
	$cc $compile -x c - -o /dev/null $link 2>/dev/null || missing "$cc cannot build a program with $version"

# Ranks of a test share cores and are not bound to one core each, as is the default of MPICH's launcher.
[ "$tags" != mpi ] || mpirun="$mpirun --oversubscribe --bind-to none"
mpirun=${MPIRUN:-$mpirun}

case ${1-} in
'') echo "$version" ;;
--tags) echo "$tags" ;;
--mpirun)
	command -v "${mpirun%% *}" >/dev/null || missing "no ${mpirun%% *} found"
	echo "$mpirun"
	;;
*)
	CGO_ENABLED=1 CGO_CFLAGS="${CGO_CFLAGS:--O2 -g} $compile" CGO_LDFLAGS="${CGO_LDFLAGS:--O2 -g} $link" \
		MPIRUN=$mpirun exec "$@"
	;;
esac
