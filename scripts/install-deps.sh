#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install-deps.sh PACKAGE...: installs missing packages through apt-get, as root or by sudo without a password, without
# interaction. If that is impossible, it prints the reason and fails.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C

missing=
for package; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
	echo "cannot install$missing: there is no apt-get" >&2
	exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
	if ! sudo -n true 2>/dev/null; then
		echo "cannot install$missing: neither root nor sudo without a password" >&2
		exit 1
	fi
	as_root="sudo DEBIAN_FRONTEND=$DEBIAN_FRONTEND"
fi
echo "installing$missing"
apt="$as_root apt-get -qq -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=60 -o Acquire::Retries=3"
$apt update
# shellcheck disable=SC2086 # several packages
$apt install --no-install-recommends $missing >/dev/null
