# shellcheck shell=bash steps.sh: named and timed steps, for test.sh and .ci/run (bash, read with "."). The next step
# also runs after a failed one; finish prints the numbers of passed, failed and skipped steps and names the failed and
# skipped ones. In CI it also repeats the last lines of each failed step. Steps may run scripts with steps: the
# outermost finish includes the skipped steps of all scripts.

passed=0 failed=0 skipped=0 failures=() gaps=() began=$SECONDS

# A file with one line per skipped step of nested scripts, and per skipped Go test (internal/gotest).
outermost=
if [ -z "${STEPS_SKIPS-}" ]; then
	STEPS_SKIPS=$(mktemp) outermost=yes
	export STEPS_SKIPS
fi

# The exit status of a script that this machine forbids.
not_allowed=77

# may_skip NAME: whether a step that the machine forbids may be skipped: any step on a developer's machine; in CI the
# steps in ALLOWED_SKIPS, one per line, for containers that forbid them.
may_skip() { [ "${CI-}" != true ] || grep -qxF "$1" <<<"${ALLOWED_SKIPS-}"; }

# step NAME COMMAND...
step() {
	local name=$1 began=$SECONDS status=0
	shift
	echo "=== $name"
	set +e # not a condition, which would disable -e inside the step
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

# printed COMMAND...: runs the command. In CI its output is printed at its end, and last_lines has the last lines. The
# output is a file, because daemons would keep a pipe open.
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

# skip NAME REASON: reports a skipped step on a developer's machine, a failed one in CI.
skip() {
	if ! may_skip "$1"; then
		failed=$((failed + 1)) failures+=("$1")
		echo "--- FAILED: $1 cannot run: $2"
	else
		skipped=$((skipped + 1)) gaps+=("$1")
		echo "--- SKIPPED: $1: $2"
	fi
}

# lacks RIGHT: ends a script for which the machine lacks a right. Its step is skipped, or fails in CI unless it may be
# skipped there.
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

# ends_valid COMMAND...: a benchmark run must succeed with VALID in the last line of its output.
ends_valid() {
	mkdir -p build
	"$@" | tee build/run.out
	[ "$(tail -n 1 build/run.out)" = VALID ]
}

# mpi_gap: prints why the MPI tests cannot run; nothing if they can.
mpi_gap() {
	local reason
	reason=$(scripts/with-mpi.sh --mpirun 2>&1) || echo "$reason"
}
