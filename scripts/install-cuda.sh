#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install-cuda.sh [FOLDER]: unpacks the parts of CUDA 12.4 for building (nvcc, headers, the static runtime library and a
# stub of the driver's library) into a folder, by default /opt/g500-cuda. As root on Debian 12 or 13; half a minute, 240
# MB. The programs need a GPU and its driver only at run time.
#
# Debian 12 has CUDA 11.8, which refuses Debian's own C++ compiler. The packages therefore come from Debian 13,
# non-free. They are unpacked and not installed, with a separate configuration of apt: the system does not change.
set -euo pipefail
export LC_ALL=C
folder=${1:-/opt/g500-cuda}
[ ! -x "$folder/bin/nvcc" ] || exit 0

. /etc/os-release
if [ "$ID" != debian ]; then
	echo "install-cuda.sh is for Debian; here, install nvidia-cuda-toolkit or NVIDIA's own packages" >&2
	exit 1
fi
"$(dirname "$0")/install-deps.sh" g++

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/debs" "$work/tree"
mirrors=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security)
mirror=${mirrors%%$'\n'*}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keyring] $mirror trixie main contrib non-free" >"$work/sources"
private_apt() {
	apt-get -qq -o "Dir::Etc::SourceList=$work/sources" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$work/lists" \
		-o APT::Sandbox::User=root -o Acquire::Retries=3 "$@"
}
private_apt update
packages=(nvidia-cuda-toolkit nvidia-cuda-dev libnvvm4 libcudart12 libthrust-dev libcub-dev libcu++-dev)
(cd "$work/debs" && private_apt download "${packages[@]}")

libraries=usr/lib/x86_64-linux-gnu
for package in "$work"/debs/*.deb; do
	wanted=(--exclude='*/share/*' --exclude='*compute-sanitizer*')
	case $package in
	*/nvidia-cuda-dev_*) # gigabytes of libraries, of which the build needs four files
		wanted=(--wildcards './usr/include/*' "./$libraries/stubs/libcuda.so"
			"./$libraries/libcudart*" "./$libraries/libcudadevrt.a") ;;
	esac
	dpkg-deb --fsys-tarfile "$package" | tar -x -C "$work/tree" "${wanted[@]}"
	rm "$package"
done

# nvcc finds its parts through a profile; Debian's has the system's folders. The wrappers next to nvcc, which choose a
# host compiler, are not needed: CUDA 12.4 supports gcc up to 13.
toolkit=usr/lib/nvidia-cuda-toolkit
rm -f "$work/tree/$toolkit/bin/gcc" "$work/tree/$toolkit/bin/g++" "$work/tree/$toolkit/bin/nvcc.profile"
cat >"$work/tree/$toolkit/bin/nvcc.profile" <<EOF
NVVMIR_LIBRARY_DIR = $folder/$toolkit/libdevice
PATH += $folder/$toolkit/bin:$folder/usr/bin:
INCLUDES += "-I$folder/usr/include" \$(_SPACE_)
LIBRARIES =+ \$(_SPACE_) "-L$folder/$libraries/stubs" "-L$folder/$libraries"
EOF
mkdir "$work/tree/bin"
cat >"$work/tree/bin/nvcc" <<EOF
#!/bin/sh
export LD_LIBRARY_PATH=$folder/$libraries PATH=$folder/usr/bin:\$PATH
exec $folder/$toolkit/bin/nvcc "\$@"
EOF
chmod +x "$work/tree/bin/nvcc"
mkdir -p "$(dirname "$folder")"
mv "$work/tree" "$folder"
chmod 755 "$folder"
