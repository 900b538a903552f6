#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check-spills.sh [MESSAGES...]: fails if a kernel spills more bytes of registers than cuda/spills.txt allows. MESSAGES
# are the files with ptxas's output of "make CUDA=1 CUDA_ARCH=90", by default build/cuda/*/*.ptxas. The laboratory's
# kernels are compared if any is compiled, by "make lab CUDA=1".
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- build/cuda/*/*.ptxas

# Prints "BYTES KERNEL" for each g500 kernel for sm_90: the bytes of spill stores and loads, including those of called
# functions, which ptxas lists after the kernel.
spills() {
	awk -F "'" '
		/Compiling entry function/ { kernel = ($4 == "sm_90" ? $2 : "") "\t" FILENAME; bytes[kernel] += 0 }
		/bytes spill stores/ { split($0, word, " "); bytes[kernel] += word[5] + word[9] }
		END { for (kernel in bytes) if (kernel ~ /^_ZN4g500/) print bytes[kernel], kernel }
	' "$@" | cut -f 1 | c++filt |
		sed -E 's/(\(anonymous namespace\)|_GLOBAL__N_[A-Za-z0-9_]*):://; s/ void / /; s/([A-Za-z0-9_>])\(.*/\1/'
}

limits=cuda/spills.txt
awk '
	function fault(text) { print name text; failed = 1 }
	function of_lab() { return name ~ /^g500::(lab|color|pages)::/ }
	{ bytes = $1; name = substr($0, length($1) + 2) }
	NR == FNR { if (!/^#/) limit[name] = bytes; next }
	{ compiled[name]; lab = lab || of_lab() }
	bytes > limit[name] + 0 { fault(" spills " bytes " bytes; '$limits' allows " limit[name] + 0) }
	END {
		for (name in limit)
			if (!(name in compiled) && (lab || !of_lab())) fault(" is in '$limits' and was not compiled")
		exit failed
	}
' "$limits" <(spills "$@") >&2
