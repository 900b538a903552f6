#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test-dist.sh [PROCESSOR...]: makes a release in a new clone, twice with the same bytes, signs it with a new key,
# verifies it, installs it, and runs the program, by the commands in packaging/README.md and RELEASING.md. It also runs
# the static programs, the one for Arm under qemu-user. It includes changes that are not committed. With PROCESSORs,
# such as amd64, the release has the static programs for these only.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh
[ $# = 0 ] || export PROCESSORS=$*

scripts/install-deps.sh git jq openssh-client qemu-user-static || lacks "git, jq, ssh-keygen or qemu-user-static"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
refuse() { echo "$1" >&2 && exit 1; }

# commands NAME FILE: prints the code between <!-- NAME --> and <!-- /NAME -->.
commands() { sed -n "/^<!-- $1 -->/,/^<!-- \/$1 -->/p" "$2" | grep -v '^```\|^<!--'; }

clone=$work/clone
git clone --quiet . "$clone"
git ls-files -z --cached --others --exclude-standard |
	while IFS= read -r -d '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done |
	tar -c --null -T - | tar -x -C "$clone"
version=$(sed -n 's/^\tVersion = "\(.*\)"$/\1/p' cmd/cli/version.go)
git -C "$clone" add --all
git -C "$clone" -c user.name=test -c user.email=test@example.org commit --quiet --allow-empty -m "a release"

make -C "$clone" dist | grep -F ' g500-'
cp -r "$clone/build/dist" "$work/first"
sleep 1 # other times of files
make -C "$clone" dist >/dev/null
diff -r "$clone/build/dist" "$work/first"
echo x >>"$clone/README.md"
! make -C "$clone" dist 2>/dev/null || refuse "make dist packs uncommitted changes"

cd "$work/first"
export KEY=$work/key SIGNER=release@example.org
ssh-keygen -q -t ed25519 -N '' -C "$SIGNER" -f "$KEY"
echo "$SIGNER namespaces=\"g500\" $(cut -d ' ' -f 1,2 "$KEY.pub")" >allowed_signers
sh -euxc "$(commands sign "$clone/packaging/RELEASING.md")"
sh -euxc "$(commands verify "$clone/packaging/RELEASING.md")"
sed 's/^[0-9a-f]*/0000/' SHA256SUMS >"$work/forged"
! ssh-keygen -Y verify -f allowed_signers -I "$SIGNER" -n g500 -s SHA256SUMS.sig <"$work/forged" 2>/dev/null ||
	refuse "a forged list of checksums is accepted"

install=$(grep "tar -xzf g500-$version.tar.gz" "$clone/packaging/README.md") ||
	refuse "packaging/README.md does not install $version"
CUDA=0 sh -euxc "${install/'$HOME'/$work}" >"$work/log" 2>&1 ||
	refuse "$(tail "$work/log")"
program=$work/.local/bin/g500
commit=$(git -C "$clone" rev-parse --short=12 HEAD)
"$program" version | grep -F "g500 $version (commit $commit)"
"$program" run --scale 10 --quiet | grep '^VALID$'

# The static programs need no library, run both kernels, and come with manual pages and the licences of their modules.
for arch in ${PROCESSORS:-amd64 arm64}; do
	mkdir "$work/$arch"
	tar -xzf "g500-$version-linux-$arch.tar.gz" -C "$work/$arch"
	static=$work/$arch/g500-$version
	runner=
	[ "$arch" = "$(go env GOHOSTARCH)" ] || runner=qemu-$(sed 's/arm64/aarch64/; s/amd64/x86_64/' <<<"$arch")-static
	if readelf -l "$static/bin/g500" | grep 'INTERP\|DYNAMIC'; then refuse "the program for $arch is not static"; fi
	$runner "$static/bin/g500" version | grep -F "g500 $version (commit $commit)"
	$runner "$static/bin/g500" version | grep "linux/$arch$"
	[ "$($runner "$static/bin/g500" run --scale 10 --kernel both --ranks 2 --quiet | tail -n 1)" = VALID ] ||
		refuse "the program for $arch has no VALID run"
	grep -q '^\.SH EXAMPLES' "$static/share/man/man1/g500-run.1"
	modules=$(go version -m "$static/bin/g500" | awk '$1 == "dep" { print $2 "@" $3 }')
	for module in $modules Go: LICENSE.d3 LICENSE.plot; do
		grep -qi "^=== .*${module//[A-Z]/.*}" "$static/LICENSES" || refuse "$arch: no licence of $module"
	done
done

# Every module of the program is in the SBOM.
go version -m "$program" | awk '$1 == "dep" { print $2 "@" $3 }' | sort >"$work/modules"
jq -r '.components[] | .name + "@" + .version' "g500-$version.cdx.json" | sort >"$work/listed"
missing=$(comm -23 "$work/modules" "$work/listed")
[ -s "$work/modules" ] && [ -z "$missing" ] || refuse "not in the SBOM: $missing"

# So are the script libraries in the page of reports, with the sums that the test of the page's files requires.
while read -r file name purl; do
	sum=$(sed -n "s/.*\"$file\": *\"\(.*\)\",/\1/p" "$clone/analysis/report/page_test.go")
	jq -e --arg sum "$sum" --arg name "$name" --arg purl "$purl" '
		.metadata.component."bom-ref" as $program |
		([.components[] | select(.purl == $purl and .name == $name and .licenses[0].license.id == "ISC" and
			.hashes == [{alg: "SHA-256", content: $sum}])] | length == 1) and
		any(.dependencies[] | select(.ref == $program).dependsOn[]; . == $purl)' "g500-$version.cdx.json" >/dev/null ||
		refuse "the SBOM lacks $name"
done <<-EOF
	d3.min.js d3 pkg:npm/d3@7.9.0
	plot.umd.min.js @observablehq/plot pkg:npm/%40observablehq/plot@0.6.17
EOF
echo "$(wc -l <"$work/listed") components in the SBOM"
