#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks the stored runs of results/ to build/results, or packs a set of runs as runs.tar.gz, with the same bytes each
# time.
#
#   scripts/results.sh unpack
#   scripts/results.sh pack MACHINE/SET     # build/results/MACHINE/SET to results/MACHINE/SET/runs.tar.gz
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1-} in
unpack)
	rm -rf build/results
	for pack in results/*/*/runs.tar.gz; do
		set=build/$(dirname "$pack")
		mkdir -p "$set"
		tar -xzf "$pack" -C "$set" --strip-components 1
	done ;;
pack)
	set=${2:?name a set below build/results: scripts/results.sh pack MACHINE/SET}
	[ -d "build/results/$set" ] ||
		{ echo "there is no folder build/results/$set: unpack first, or copy runs there" >&2; exit 1; }
	mkdir -p "results/$set"
	tar -C "build/results/$set" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime=@0 \
		--transform 's,^\.,runs,' -c . | gzip -9n >"results/$set/runs.tar.gz" ;;
*)
	sed -n '/Unpacks/,/^set/s/^# *//p' "$0" >&2
	exit 2 ;;
esac
