#!/bin/sh
# with-mpi.sh              names the MPI library that programs can be built with ("Open MPI 4.1.4", "MPICH 4.0.2")
# with-mpi.sh --tags       prints the build tags for it: mpi, or mpi,mpich
# with-mpi.sh --mpirun     prints the command that starts ranks of it on this machine, for tests
# with-mpi.sh COMMAND ...  runs a command, such as go build -tags mpi, with that library's flags for cgo
# Where there is none, it says what is missing on standard error and fails. MPICC names another compiler wrapper than
# mpicc, and MPIRUN the launcher, if that is not the wrapper's neighbour. What the wrapper answers says whose library it
# is: Open MPI, or MPICH or one that comes from it. The flags go before those that comm and gompi have in their sources,
# which fit Open MPI on Debian and Ubuntu.
set -eu

missing() {
	echo "$1" >&2
	exit 1
}

# chosen PATTERN WORD...: the words that a pattern for grep fits.
chosen() {
	pattern=$1
	shift
	printf '%s\n' "$@" | grep -E -e "$pattern" | tr '\n' ' '
}

# mpich_flags COMPILER WORD...: the flags in the command that a wrapper of MPICH's kind would run. Whose name and
# version it is stands in mpi.h.
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

# Ranks of a test share cores, and none is bound to one core, on which Go would run alone. MPICH's launcher does so.
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
