#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# dist.sh: packs a release into build/dist: the committed sources, the static program without MPI and GPUs for x86-64
# and Arm with its manual pages and licences, the SBOM (Go modules of the program with every option, d3 and Plot;
# CycloneDX JSON), and SHA256SUMS. The same commit gives the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."

refuse() { echo "$1" >&2 && exit 1; }
: "${PROCESSORS:=amd64 arm64}"

version=$(sed -n 's/^\tVersion = "\(.*\)"$/\1/p' cmd/cli/version.go)
name=g500-$version
grep -qF "## [$version] - " CHANGELOG.md || refuse "CHANGELOG.md has no section ## [$version] - DATE"
[ -z "$(git status --porcelain)" ] || refuse "a release has committed files only: commit the changes"

command -v jq >/dev/null || refuse "make dist needs jq: apt-get install jq"

# The tool of the CycloneDX project; nothing of it is in the program or in go.mod.
GOFLAGS='' GOBIN=$PWD/build go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0

rm -rf build/dist
mkdir -p build/dist
git -c tar.umask=0022 archive --prefix="$name/" --add-virtual-file="$name/.version:- $(git rev-parse --short=12 HEAD)
" HEAD | gzip -9n >"build/dist/$name.tar.gz"

# The programs are built from the archive, so that they do not depend on git and other files here.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xzf "build/dist/$name.tar.gz" -C "$work"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
for arch in $PROCESSORS; do
	mkdir -p "$work/$arch/$name/bin"
	GOOS=linux GOARCH=$arch make --no-print-directory -C "$work/$name" build MPI=0 CUDA=0 BIN="$work/$arch/$name/bin/g500"
done
"$work/$(go env GOHOSTARCH)/$name/bin/g500" man --dir "$work/man1"
licences="LICENSE $(echo analysis/report/library/LICENSE.*) $(go env GOROOT)/LICENSE"
for arch in $PROCESSORS; do
	mkdir -p "$work/$arch/$name/share/man"
	cp -r "$work/man1" "$work/$arch/$name/share/man"
	modules=$(go version -m "$work/$arch/$name/bin/g500" | awk '$1 == "dep" { print $2 }')
	# shellcheck disable=SC2046,SC2086 # several modules and files
	modules=$(find $(go list -m -f '{{.Dir}}' $modules) -maxdepth 1 \
		\( -name 'LICENSE*' -o -name COPYING -o -name NOTICE \))
	for file in $licences $modules; do
		printf '\n%s\n\n' "=== $(sed "s,^$(go env GOROOT)/,Go: ,; s,^$(go env GOMODCACHE)/,," <<<"$file")"
		cat "$file"
	done >"$work/$arch/$name/LICENSES"
	tar -c -C "$work/$arch" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
		--mode=u=rwX,go=rX "$name" | gzip -9n >"build/dist/$name-linux-$arch.tar.gz"
done

GOOS=linux GOARCH=amd64 CGO_ENABLED=1 GOFLAGS=-tags=mpi,cuda build/cyclonedx-gomod app -json -noserial -notimestamp \
	-main cmd/g500 -output build/sbom.json 2>build/sbom.log || refuse "$(tail -n 3 build/sbom.log)"
# The script libraries are no Go modules: their versions are in the heading of their README.
library=analysis/report/library
versions=$(sed -n '1s/^# d3 \(.*\) and Observable Plot \(.*\)$/\1 \2/p' $library/README.md)
jq --arg d3 "${versions% *}" --arg plot "${versions#* }" \
	--arg d3sum "$(sha256sum $library/d3.min.js | cut -d ' ' -f 1)" \
	--arg plotsum "$(sha256sum $library/plot.umd.min.js | cut -d ' ' -f 1)" '
	.metadata.component."bom-ref" as $program |
	reduce (["d3", "d3", $d3, $d3sum], ["@observablehq/plot", "%40observablehq/plot", $plot, $plotsum]) as
		[$name, $path, $version, $sum] (.; "pkg:npm/\($path)@\($version)" as $purl |
		.components += [{"bom-ref": $purl, type: "library", name: $name, version: $version, scope: "required",
			hashes: [{alg: "SHA-256", content: $sum}], licenses: [{license: {id: "ISC"}}], purl: $purl}] |
		(.dependencies[] | select(.ref == $program).dependsOn) += [$purl] | .dependencies += [{ref: $purl}])
	' build/sbom.json >"build/dist/$name.cdx.json"
cd build/dist
sha256sum "$name"* >SHA256SUMS
cat SHA256SUMS
