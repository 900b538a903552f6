#!/usr/bin/env bash
# Packs the run of each folder below FOLDER, as runs are kept in results/: run.json becomes run.json.gz. The same run
# gives the same bytes.
#
#   scripts/pack-runs.sh FOLDER
set -euo pipefail

find "${1:?name a folder with runs: scripts/pack-runs.sh FOLDER}" -name run.json -exec gzip -9n {} +
