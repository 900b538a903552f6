#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# with-cuda.sh              prints the version of the CUDA toolkit ("CUDA 12.4")
# with-cuda.sh --nvcc       prints its compiler
# with-cuda.sh --arch       prints nvcc's flags for the architectures of the kernels
# with-cuda.sh COMMAND ...  runs a command, such as go build -tags cuda, with the toolkit's flags for cgo
# Without a toolkit it prints the missing part on standard error and fails.
#
# nvcc is NVCC, or searched on the PATH, in /usr/local/cuda and in the folder of install-cuda.sh. CUDA_ARCH, such as "80
# 90", selects architectures. The default is Volta (or Turing), Ampere and Hopper, if the compiler supports them, and
# the intermediate code of the newest one, which the driver translates for later GPUs.
set -eu

missing() {
	echo "$1" >&2
	exit 1
}

# first_with FILE FOLDER...: prints the first folder that has the file.
first_with() {
	file=$1
	shift
	for folder; do
		[ ! -e "$folder/$file" ] || { echo "$folder"; return; }
	done
	return 1
}

nvcc=${NVCC-}
for candidate in nvcc /usr/local/cuda/bin/nvcc /opt/g500-cuda/bin/nvcc; do
	[ -n "$nvcc" ] || nvcc=$(command -v "$candidate" || true)
done
command -v "$nvcc" >/dev/null || missing "no ${NVCC:-nvcc} found"
[ "${1-}" != --nvcc ] || { echo "$nvcc"; exit; }

if [ "${1-}" = --arch ]; then
	known=$("$nvcc" --list-gpu-arch)
	knows() { echo "$known" | grep -qx "compute_$1"; }
	volta=70
	knows 70 || volta=75
	for arch in ${CUDA_ARCH:-$volta 80 90}; do
		if knows "$arch"; then
			printf -- '-gencode arch=compute_%s,code=sm_%s ' "$arch" "$arch"
			newest=$arch
		elif [ -n "${CUDA_ARCH-}" ]; then
			missing "$nvcc does not support the architecture $arch of CUDA_ARCH"
		fi
	done
	[ -n "${CUDA_ARCH-}" ] || printf -- '-gencode arch=compute_%s,code=compute_%s' "$newest" "$newest"
	exit
fi

release=$("$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
root=$(dirname "$(dirname "$(readlink -f "$(command -v "$nvcc")")")")
cpu=$(uname -m)
targets=$root/targets/$(echo "$cpu" | sed s/aarch64/sbsa/)-linux
include=$(first_with cuda_runtime.h "$root/include" "$targets/include" "$root/usr/include" /usr/include) ||
	missing "$nvcc has no cuda_runtime.h"
debian=usr/lib/$cpu-linux-gnu
lib=$(first_with libcudart_static.a "$root/lib64" "$targets/lib" "$root/$debian" "/$debian") ||
	missing "$nvcc has no libcudart_static.a"
if [ $# -eq 0 ]; then
	echo "CUDA $release"
	exit
fi

# The shim precedes the toolkit's own cuda.h. The stub replaces the driver's library, which may be missing here.
here=$(cd "$(dirname "$0")/.." && pwd)
CGO_ENABLED=1 CGO_CFLAGS="'-I$here/cuda/shim' '-I$include' ${CGO_CFLAGS:--O2 -g}" \
	CGO_LDFLAGS="'-L$lib' '-L$lib/stubs' ${CGO_LDFLAGS:--O2 -g}" exec "$@"
