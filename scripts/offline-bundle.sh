#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# offline-bundle.sh: packs the sources, their modules and a reduced Go into build/g500-offline.tar.xz, to build g500 on
# a machine without a network and without Go:
#
#   tar -xf g500-offline.tar.xz && make -C g500
#
# The machine needs a C compiler and make, and for GPUs and MPI nvcc and an MPI library. The Go in the bundle is for
# this operating system and architecture. It supports "go build", "go vet" and "go test" of this repository.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bundle=$work/g500
mkdir "$bundle"

# The sources, committed or not, the modules, and git's description of the version in a file.
git ls-files -z --cached --others --exclude-standard |
	while IFS= read -r -d '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done |
	tar -c --null -T - | tar -x -C "$bundle"
(cd "$bundle" && GOFLAGS= go mod vendor)
(cd "$bundle/tools" && GOFLAGS= go mod vendor) # for make lint
tag=$(git describe --tags --dirty 2>/dev/null || echo -)
printf '%s %s\n' "$tag" "$(git describe --always --dirty --exclude '*')" >"$bundle/.version"

# Go: the command, its tools, and the standard library without the files of other systems.
root=$(go env GOROOT)
system=$(go env GOOS) machine=$(go env GOARCH)
mkdir -p "$bundle/.go/bin" "$bundle/.go/pkg/tool"
cp "$root/bin/go" "$root/bin/gofmt" "$bundle/.go/bin/"
cp -r "$root/pkg/include" "$bundle/.go/pkg/"
mkdir "$bundle/.go/pkg/tool/${system}_$machine"
for tool in asm cgo compile link vet; do
	cp "$root/pkg/tool/${system}_$machine/$tool" "$bundle/.go/pkg/tool/${system}_$machine/"
done
cp "$root/VERSION" "$root/go.env" "$root/LICENSE" "$bundle/.go/"

# others NAME...: prints tar patterns of the files that only a system or processor of this name uses.
others() {
	for name; do
		case $name in
		"$system" | "$machine") ;;
		*) printf -- '--exclude=%s\n' "*_$name".{go,s,syso} "*_${name}_*".{go,s} ;;
		esac
	done
}
# shellcheck disable=SC2046 # one pattern per word
tar -c -C "$root" --exclude=src/cmd --exclude=testdata --exclude='*_test.go' --exclude='*.syso' \
	$(others $(go tool dist list | tr '/' '\n' | sort -u)) src | tar -x -C "$bundle/.go"
strip "$bundle/.go/bin/"* "$bundle/.go/pkg/tool/${system}_$machine/"* 2>/dev/null || true # saves half

mkdir -p build
tar -c -C "$work" --owner=0 --group=0 g500 | xz -T0 -6 >build/g500-offline.tar.xz
ls -l build/g500-offline.tar.xz | awk '{ printf "%s: %.1f MB\n", $9, $5 / 1e6 }'
