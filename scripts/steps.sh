# shellcheck shell=bash
# steps.sh: named and timed steps, for test.sh and .ci/run (bash, read with "."). A step that fails does not keep
# the next from running; finish tells how many there were of each kind, and names those that did not pass. In CI, where
# often only the end of a gate's output is kept, it repeats the last lines of each step that failed. Steps may run
# scripts that have steps themselves: the outermost finish also counts and names all that was skipped inside.

passed=0 failed=0 skipped=0 failures=() gaps=() began=$SECONDS

# A file with one line for each gap of a script inside a step, which "go run ./internal/gotest" writes too.
outermost=
if [ -z "${STEPS_SKIPS-}" ]; then
	STEPS_SKIPS=$(mktemp) outermost=yes
	export STEPS_SKIPS
fi

# The exit status of a script that this machine does not let run.
not_allowed=77

# may_skip NAME: whether a step that the machine forbids may be skipped. On a developer's machine each may; in CI those
# that ALLOWED_SKIPS names, one a line, for a container that is known to forbid them.
may_skip() { [ "${CI-}" != true ] || grep -qxF "$1" <<<"${ALLOWED_SKIPS-}"; }

# step NAME COMMAND...
step() {
	local name=$1 began=$SECONDS status=0
	shift
	echo "=== $name"
	set +e # here and not in a condition, which would keep -e from working inside a function of steps
	printed "$@"
	status=$?
	set -e
	if [ $status -eq 0 ]; then
		passed=$((passed + 1))
		echo "--- passed: $name ($((SECONDS - began)) s)"
	elif [ $status -eq $not_allowed ] && may_skip "$name"; then
		skipped=$((skipped + 1)) gaps+=("$name")
		echo "--- SKIPPED: $name"
	else
		failed=$((failed + 1)) failures+=("$name$last_lines")
		echo "--- FAILED: $name ($((SECONDS - began)) s)"
	fi
}

# printed COMMAND...: runs it. In CI what it prints comes when it has ended, and last_lines are the last of it. Not
# through a pipe: daemons that it starts would hold that open.
printed() {
	local log status
	last_lines=
	if [ "${CI-}" != true ]; then
		(set -e; "$@") </dev/null
		return
	fi
	log=$(mktemp)
	(set -e; "$@") </dev/null >"$log" 2>&1
	status=$?
	cat "$log"
	[ $status -eq 0 ] || last_lines=$'\n'$(tail -n 12 "$log" | cut -c -300 | sed 's/^/  | /')
	rm "$log"
	return $status
}

# skip NAME REASON: on a developer's machine a gap is said, in CI it is a failure.
skip() {
	if ! may_skip "$1"; then
		failed=$((failed + 1)) failures+=("$1")
		echo "--- FAILED: $1 cannot run: $2"
	else
		skipped=$((skipped + 1)) gaps+=("$1")
		echo "--- SKIPPED: $1: $2"
	fi
}

# lacks RIGHT: ends a script that cannot run because the machine forbids what it takes. The step that runs it is
# skipped; in CI it fails, unless it may be skipped there.
lacks() {
	echo "cannot run here: $1"
	exit $not_allowed
}

finish() {
	local inside=() minutes=$(((SECONDS - began) / 60)) seconds=$(((SECONDS - began) % 60))
	if [ -n "$outermost" ]; then
		mapfile -t inside < <(sort -u "$STEPS_SKIPS")
		rm -f "$STEPS_SKIPS"
		skipped=$((skipped + ${#inside[@]})) gaps+=("${inside[@]}")
	elif [ $skipped -gt 0 ]; then
		printf '%s\n' "${gaps[@]}" >>"$STEPS_SKIPS"
	fi
	[ $skipped -eq 0 ] || printf 'SKIPPED: %s\n' "${gaps[@]}"
	[ $failed -eq 0 ] || printf 'FAILED: %s\n' "${failures[@]}"
	echo "$passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped SKIPPED"), in $minutes min $seconds s"
	[ $failed -eq 0 ]
}

# ends_valid COMMAND...: a benchmark run must succeed, and say so in the last line of its standard output.
ends_valid() {
	mkdir -p build
	"$@" | tee build/run.out
	[ "$(tail -n 1 build/run.out)" = VALID ]
}

# mpi_gap says what keeps the MPI tests from running, and nothing when they can.
mpi_gap() {
	local said
	said=$(scripts/with-mpi.sh --mpirun 2>&1) || echo "$said"
}
