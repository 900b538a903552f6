#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh TIME: runs each fuzz target for TIME, such as 5s. The Go tool takes one target at a time.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

# fuzz TARGET PACKAGE TIME. Up to Go 1.26 a run without a finding may fail at its end with "context deadline exceeded"
# and without an input (golang.org/issue/75804): that is a pass. Every finding has an input.
fuzz() {
	mkdir -p build
	if go test -run '^$' -fuzz "^$1\$" -fuzztime "$3" -fuzzminimizetime 100x "$2" >build/fuzz.out; then
		tail -n 1 build/fuzz.out
	elif [ "$(grep -A 1 '^--- FAIL' build/fuzz.out | tail -n +2)" = "    context deadline exceeded" ]; then
		echo "no finding within the time"
	else
		cat build/fuzz.out
		return 1
	fi
}

targets=$(grep -rn --include='*_test.go' -oE '^func Fuzz[A-Za-z0-9_]+' . | sort || true)
[ -n "$targets" ] || { echo "no fuzz targets found" >&2; exit 1; }
while IFS=: read -r file _ name; do # ./folder/x_test.go:1:func FuzzX
	step "${name#func }" fuzz "${name#func }" "$(dirname "$file")" "$1"
done <<<"$targets"
finish
