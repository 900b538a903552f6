#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests Containerfile and the files in packaging: runs their make commands in a clean copy of the sources, the
# installed programs, and the commands of the suites on two ranks, whose figures must be in the output. JUBE is
# Debian's; stand-ins with the functions that the files may use replace the other tools.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/src"
git ls-files -z --cached --others --exclude-standard |
	tar --null --files-from - -c --ignore-failed-read | tar -x -C "$work/src"
export PYTHONPATH=$PWD/packaging PYTHONDONTWRITEBYTECODE=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
python=/usr/bin/python3 # Debian's, with Debian's python3-yaml

refuse() { echo "$1" >&2 && exit 1; }
valid() { [ "$("$1" run --scale 10 --quiet | tail -n 1)" = VALID ]; }

echo "Containerfile, and the definition for Apptainer"
build=$(sed -n 's|^RUN \(make .*\) DESTDIR=/out$|\1|p' Containerfile)
[ -n "$build" ] || refuse "Containerfile does not run make ... DESTDIR=/out"
(cd "$work/src" && CUDA=0 CUDA_ARCH='' sh -euc "$build DESTDIR=$work/out")
valid "$work/out/usr/local/bin/g500"
"$work/out/usr/local/bin/graph500_reference_bfs" 10 2>"$work/progress" >"$work/block"
grep '^bfs  harmonic_mean_TEPS' "$work/block"
grep -qF "$(sed -E 's/\$\{(\w+)\}/{{ \1 }}/g' <<<"$build") DESTDIR=/out" packaging/apptainer/g500.def ||
	refuse "packaging/apptainer/g500.def does not build as Containerfile does"

scripts/install-deps.sh openmpi-bin python3 python3-yaml jube || lacks "the files for Spack, EasyBuild and the suites"
version=$(sed -n 's/^\tVersion = "\(.*\)"$/\1/p' cmd/cli/version.go)
recipes="../CITATION.cff easybuild/*.eb spack/*/*/*/*/package.py benchpark/*/*/experiment.py ramble/ramble.yaml"
# shellcheck disable=SC2086 # several files
other=$(cd packaging && grep -LF "$version" $recipes)
[ -z "$other" ] || refuse "not for version $version: $other"

echo "Spack"
$python packaging/try_spack.py "$work/src" "$work/spack"
valid "$work/spack/bin/g500"
printed=$($python packaging/try_spack.py "$work/src" "$work/spack" +cuda)
[ "$(head -n 1 <<<"$printed")" = "make MPI=1 CUDA=1 CUDA_ARCH=80 90" ] || refuse "with +cuda: $printed"

echo "EasyBuild"
for recipe in packaging/easybuild/*.eb; do
	$python packaging/try_easybuild.py "$recipe" "$work/src" "$work/easybuild"
done

echo "Virtual Client"
packaging/virtualclient/package.sh "$work/packages"
$python -m json.tool packaging/virtualclient/PERF-GRAPH500-G500.json >"$work/profile"
$python -m json.tool "$work/packages/graph500/graph500.vcpkg" >"$work/vcpkg"
cd "$work"/packages/graph500/linux-*/src
make CC=mpicc >&2
./graph500_reference_bfs_sssp 10 16 >"$work/block" 2>"$work/progress"
cd "$OLDPWD"
numbers=$(grep -c '^[^:]*:[^:]*[0-9]$' "$work/block")
[ "$numbers of $(wc -l <"$work/block")" = "55 of 55" ] || refuse "Virtual Client reads $numbers figures"

echo "Ramble, Benchpark, ReFrame and AKRR"
export PATH=$work/spack/bin:$PATH
$python packaging/try_suites.py "$(command -v g500)" mpirun -n 2 --oversubscribe --bind-to none 2>"$work/progress" ||
	{ cat "$work/progress" && false; }

echo "JUBE"
cp packaging/jube/g500.yaml "$work"
# jube_table TAG...: prints the lines of the table of results, with blanks between the cells.
jube_table() { jube run "$work/g500.yaml" --tag "$@" -r 2>&1 | sed -n 's/^| *\([0-9].*\)|$/\1/p' | tr -s '| ' ' '; }
row=$(jube_table small both)
[[ $row =~ ^1\ 2\ 10\ cpu(\ [0-9.e-]+){8}\ VALID\ $ ]] || refuse "JUBE's table: $row"
mkdir "$work/stand-in"
printf '#!/bin/sh\necho "$@" >>%s\necho VALID\n' "$work/srun" >"$work/stand-in/srun"
chmod +x "$work/stand-in/srun"
PATH=$work/stand-in:$PATH jube_table gpu
sed -n 's/^--nodes=\([0-9]*\) --ntasks=\([0-9]*\) .* g500 run /\1 \2 /p' "$work/srun" >"$work/commands"
diff - "$work/commands" <<-'EOF'
	4 16 --kernel bfs --engine gpu --scale 30
	16 64 --kernel bfs --engine gpu --scale 30
EOF
