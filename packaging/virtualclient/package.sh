#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# package.sh PACKAGES: builds g500 without MPI as the package graph500 of Microsoft's Virtual Client, for this
# processor, into its folder of packages. Virtual Client runs make in it, which has nothing to do, then the program.
set -euo pipefail
packages=$(realpath -m "${1:?usage: package.sh PACKAGES, Virtual Client\'s folder of packages}")
cd "$(dirname "$0")/../.."
case $(uname -m) in
x86_64) platform=linux-x64 ;;
aarch64) platform=linux-arm64 ;;
*) echo "Virtual Client has no platform for $(uname -m)" >&2 && exit 1 ;;
esac
package=$packages/graph500
mkdir -p "$package/$platform/src"
make build MPI=0 CUDA=0 BIN="$package/$platform/src/graph500_reference_bfs_sssp"
echo 'all:' >"$package/$platform/src/Makefile"
cat >"$package/graph500.vcpkg" <<JSON
{"name": "graph500", "description": "Graph500 reference code's interface of g500", "version": "3.0.1"}
JSON
