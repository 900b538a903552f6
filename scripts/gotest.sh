#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gotest.sh ARGUMENTS...: runs go test with these arguments by gotestsum, which prints failed and skipped tests again at
# the end. It appends the skipped tests, with their reasons, to the file STEPS_SKIPS of steps.sh. Where gotestsum
# cannot be built (tools/go.mod needs the network and a newer Go than the program), go test runs alone.
set -euo pipefail
tool=$(dirname "$0")/../build/gotestsum
if [ ! -x "$tool" ] &&
	! CGO_ENABLED=0 go build -C "$(dirname "$0")/../tools" -o ../build/gotestsum gotest.tools/gotestsum >&2; then
	echo "gotestsum cannot be built: go test does not list skipped tests" >&2
	exec go test "$@"
fi
log=$(mktemp)
trap 'rm "$log"' EXIT
status=0
"$tool" --format standard-quiet --no-color -- "$@" | tee "$log" || status=$?
awk '
	function end(reason) { if (name) print "Go test " name ": " reason; name = "" }
	name && sub(/^ +[A-Za-z0-9_]+\.go:[0-9]+: /, "") { end($0) }
	/^===/ || /^$/ { end("no reason given") }
	sub(/^=== SKIP: /, "") { sub(/ \([0-9.]+s\)$/, ""); name = $0 }
' "$log" >>"${STEPS_SKIPS:-/dev/null}"
exit $status
