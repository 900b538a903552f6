package comm

import "strings"

// libraryName is the name and version in what MPI_Get_library_version says, which each library words in its own way.
func libraryName(said string) string {
	said, _, _ = strings.Cut(said, "\n")
	said, _, _ = strings.Cut(said, ",")
	said = strings.TrimPrefix(said, "MPI VERSION") // Cray's
	var words []string
	for _, word := range strings.Fields(strings.ReplaceAll(said, ":", " ")) {
		if !strings.EqualFold(word, "version") {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// toldCUDAAware reports whether the environment tells an MPI library to take device memory: the variables are those of
// HPE Cray MPICH and of MVAPICH2.
func toldCUDAAware(getenv func(string) string) bool {
	return getenv("MPICH_GPU_SUPPORT_ENABLED") == "1" || getenv("MV2_USE_CUDA") == "1"
}
