# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash steps.sh: named and timed steps, for test.sh and .ci/run (bash, read with "."). The next step
# also runs after a failed one; finish prints the numbers of passed, failed and skipped steps and names the failed and
# skipped ones. In CI and in lanes the output of a step is printed at its end, and finish repeats of each failed step
# the first lines that name a fault, and the last lines. Steps may run scripts with steps, which take part in this: the
# outermost finish includes the skipped and failed steps of all scripts. Lanes run side by side.

passed=0 failed=0 skipped=0 failures=() gaps=() lanes=() began=$SECONDS

# The folder of all scripts' steps: skipped has one line per skipped step of nested scripts, and per skipped Go test
# (gotest.sh); failed and failed.LANE have lines of the failed steps; LANE.counts has the numbers of a lane.
outermost=
if [ -z "${STEPS-}" ]; then
	STEPS=$(mktemp -d) outermost=yes
	export STEPS STEPS_SKIPS=$STEPS/skipped STEPS_FAILED=$STEPS/failed
	touch "$STEPS_SKIPS" "$STEPS_FAILED"
fi
lane= # the lane of this script

# The exit status of a script that this machine forbids.
not_allowed=77

# may_skip NAME: whether a step that the machine forbids may be skipped: any step on a developer's machine; in CI the
# steps in ALLOWED_SKIPS, one per line, for containers that forbid them.
may_skip() { [ "${CI-}" != true ] || grep -qxF "$1" <<<"${ALLOWED_SKIPS-}"; }

# cpu_seconds: sets cpu to the CPU seconds of this shell's ended processes, which do not depend on others' load.
cpu_seconds() {
	local fields
	read -r -a fields <"/proc/$BASHPID/stat"
	cpu=$(((fields[15] + fields[16]) / $(getconf CLK_TCK)))
}

# step NAME COMMAND...
step() {
	local name=$1 began=$SECONDS status=0 cpu cpu_before log='' end described
	shift
	cpu_seconds
	cpu_before=$cpu described=$(stat -c %s "$STEPS_FAILED")
	[ "${CI-}" != true ] && [ -z "$lane" ] || log=$(mktemp -p "$STEPS")
	(flock 9 && echo "${lane:+${lane}: }=== $name") 9>"$STEPS/lock"
	set +e # not a condition, which would disable -e inside the step
	run_step "$log" "$@"
	status=$?
	set -e
	cpu_seconds
	end="$name ($((SECONDS - began)) s, $((cpu - cpu_before)) s of CPU)"
	if [ $status -eq 0 ]; then
		passed=$((passed + 1)) end="--- passed: $end"
	elif [ $status -eq $not_allowed ] && may_skip "$name"; then
		skipped=$((skipped + 1)) gaps+=("$name") end="--- SKIPPED: $name"
	else
		failed=$((failed + 1)) failures+=("$name") end="--- FAILED: $end"
		[ -z "$log" ] || [ "$(stat -c %s "$STEPS_FAILED")" -gt "$described" ] || excerpt "$name" "$log" >>"$STEPS_FAILED"
	fi
	print_step "$name" "$log" "$end"
}

# run_step LOG COMMAND...: runs the command, with its output in the file LOG if there is one: daemons would keep a pipe
# open. Its own steps describe their failures themselves, in STEPS_FAILED.
run_step() {
	local log=$1
	shift
	if [ -n "$log" ]; then
		(set -e; "$@") </dev/null >"$log" 2>&1
	else
		(set -e; "$@") </dev/null
	fi
}

# excerpt NAME LOG: prints the first lines that name a fault, and the last lines, of the output of a step.
excerpt() {
	echo "FAILED: $1"
	{
		grep -nE -m 8 '_test\.go:[0-9]+:|(^|[^a-z])([Ee]rror|fatal|panic)[: ]|FAIL|INVALID|does not say' "$2" || true
		echo ...
		tail -n 12 "$2"
	} | cut -c -300 | sed 's/^/  | /'
}

# print_step NAME LOG END: prints the output of a step, if it is in a file, and its end; one lane at a time.
print_step() {
	(
		flock 9
		[ -z "$lane" ] || echo "${lane}: === output of $1"
		[ -z "$2" ] || cat "$2"
		echo "${lane:+${lane}: }$3"
	) 9>"$STEPS/lock"
	[ -z "$2" ] || rm "$2"
}

# in_lane NICE NAME COMMAND...: starts the command, a function with steps, with a lower priority if NICE is above 0.
# join_lanes waits for all.
in_lane() {
	(
		lane=$2 passed=0 failed=0 skipped=0 failures=() gaps=()
		export STEPS_FAILED=$STEPS/failed.$2
		: >"$STEPS_FAILED"
		[ "$1" = 0 ] || renice -n "$1" "$BASHPID" >/dev/null
		"${@:3}"
		{
			echo "$passed $failed $skipped"
			printf 'FAILED: %s\n' "${failures[@]}"
			printf 'SKIPPED: %s\n' "${gaps[@]}"
		} >"$STEPS/$lane.counts"
	) &
	lanes+=("$2")
}

# join_lanes: waits for all lanes, and adds up their steps.
join_lanes() {
	local lane counts
	wait
	for lane in "${lanes[@]}"; do
		if [ ! -e "$STEPS/$lane.counts" ]; then
			failed=$((failed + 1)) failures+=("the lane $lane, which ended early")
			continue
		fi
		read -r -a counts <"$STEPS/$lane.counts"
		passed=$((passed + counts[0])) failed=$((failed + counts[1])) skipped=$((skipped + counts[2]))
		mapfile -t -O ${#failures[@]} failures < <(sed -n 's/^FAILED: \(..*\)/\1/p' "$STEPS/$lane.counts")
		mapfile -t -O ${#gaps[@]} gaps < <(sed -n 's/^SKIPPED: \(..*\)/\1/p' "$STEPS/$lane.counts")
	done
	lanes=()
}

# skip NAME REASON: reports a skipped step on a developer's machine, a failed one in CI.
skip() {
	if ! may_skip "$1"; then
		failed=$((failed + 1)) failures+=("$1")
		echo "--- FAILED: $1 cannot run: $2" | tee -a "$STEPS_FAILED"
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
		skipped=$((skipped + ${#inside[@]})) gaps+=("${inside[@]}")
		cat "$STEPS"/failed*
		rm -rf "$STEPS"
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
	local out
	out=$(mktemp -p "$STEPS")
	"$@" | tee "$out"
	[ "$(tail -n 1 "$out")" = VALID ]
}

# mpi_gap: prints why the MPI tests cannot run; nothing if they can.
mpi_gap() {
	local reason
	reason=$(scripts/with-mpi.sh --mpirun 2>&1) || echo "$reason"
}

# built: builds bin/g500 with MPI, unless the caller has built it (BUILT).
built() { [ -n "${BUILT-}" ] || make --no-print-directory build MPI=1 CUDA=0; }
