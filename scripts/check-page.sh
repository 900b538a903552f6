#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check-page.sh [PAGE.html]: tests a page of "g500 report" in a headless Chromium: legible at 420, 1,280 and 1,920
# pixels, light and dark, with and without script; nothing on the console; printing. Without PAGE.html it tests the page
# of results, also clicks and keys, and pages of small sets of runs. CHROMIUM= is another browser; without one, Chromium
# is installed through apt-get, and if that is impossible, the tests are skipped.
set -euo pipefail
tests=.
if [ $# -gt 0 ]; then
	G500_PAGE=$(realpath "$1") tests='TestPageIsLegible|TestPrint'
	export G500_PAGE
fi
cd "$(dirname "$0")/.."
command -v ${CHROMIUM-} chromium-headless-shell chromium chromium-browser google-chrome >/dev/null ||
	scripts/install-deps.sh chromium-headless-shell || echo "the tests are skipped" >&2
tested() { scripts/gotest.sh -count=1 -timeout 5m -tags browser "$@"; }
tested -run "$tests" ./analysis/report
[ $# -gt 0 ] || tested -run "TestSmallPages|TestManyRuns" ./cmd/g500
