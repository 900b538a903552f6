#!/usr/bin/env bash
# Tests Containerfile and the recipe for Spack without a container and without Spack: runs their make commands in a
# clean copy of the sources, and a benchmark of the installed programs.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/src"
git ls-files -z --cached --others --exclude-standard | tar --null --files-from - -c --ignore-failed-read |
	tar -x -C "$work/src"

valid() { [ "$("$1" run --scale 10 --quiet | tail -n 1)" = VALID ]; }

echo "Containerfile"
build=$(sed -n 's|^RUN \(make .*\) DESTDIR=/out$|\1|p' Containerfile)
[ -n "$build" ] || { echo "Containerfile does not run make ... DESTDIR=/out" >&2; exit 1; }
(cd "$work/src" && CUDA=0 CUDA_ARCH='' sh -euc "$build DESTDIR=$work/out")
valid "$work/out/usr/local/bin/g500"

echo "recipe for Spack"
command -v python3 >/dev/null || { echo "no python3: the recipe was not tested"; exit 0; }
export PYTHONPYCACHEPREFIX=$work/pycache
python3 -m py_compile packaging/spack/spack_repo/g500/packages/g500/package.py
python3 packaging/spack/try_recipe.py "$work/src" "$work/spack"
valid "$work/spack/bin/g500"
printed=$(python3 packaging/spack/try_recipe.py "$work/src" "$work/spack" +cuda)
[ "$(head -n 1 <<<"$printed")" = "make MPI=1 CUDA=1 CUDA_ARCH=80 90" ] || { echo "with +cuda: $printed" >&2; exit 1; }
