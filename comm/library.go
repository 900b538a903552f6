// SPDX-License-Identifier: Apache-2.0

package comm

import "strings"

// libraryName returns the name and version of a library from the result of MPI_Get_library_version.
func libraryName(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(text, ",")
	text = strings.TrimPrefix(text, "MPI VERSION") // of Cray MPICH
	var words []string
	for _, word := range strings.Fields(strings.ReplaceAll(text, ":", " ")) {
		if !strings.EqualFold(word, "version") {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// setCUDAAware reports whether the environment makes HPE Cray MPICH or MVAPICH2 accept device memory.
func setCUDAAware(getenv func(string) string) bool {
	return getenv("MPICH_GPU_SUPPORT_ENABLED") == "1" || getenv("MV2_USE_CUDA") == "1"
}
