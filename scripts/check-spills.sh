#!/usr/bin/env bash
# check-spills.sh [MESSAGES...]: fails if a kernel spills more bytes of registers than cuda/spills.txt allows. MESSAGES
# are the files in which "make CUDA=1 CUDA_ARCH=90" keeps what ptxas prints; build/cuda/*/*.ptxas if none is named.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- build/cuda/*/*.ptxas

# Prints "BYTES KERNEL" for each of our kernels for sm_90 in each file: spill stores and loads, also of the functions
# that it calls, which ptxas lists after it.
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
	{ bytes = $1; name = substr($0, length($1) + 2) }
	NR == FNR { if (!/^#/) limit[name] = bytes; next }
	{ compiled[name] }
	bytes > limit[name] + 0 { fault(" spills " bytes " bytes; '$limits' allows " limit[name] + 0) }
	END { for (name in limit) if (!(name in compiled)) fault(" is in '$limits' and was not compiled"); exit failed }
' "$limits" <(spills "$@") >&2
