#!/usr/bin/env bash
# Compresses the runs below FOLDER, as in results/: run.json becomes run.json.gz, with the same bytes each time.
#
#   scripts/pack-runs.sh FOLDER
set -euo pipefail

find "${1:?name a folder with runs: scripts/pack-runs.sh FOLDER}" -name run.json -exec gzip -9n {} +
