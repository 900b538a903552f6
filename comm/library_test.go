package comm

import (
	"strings"
	"testing"

	"g500/internal/expect"
)

// The texts of Open MPI and MPICH are their own; the others are from documents, shortened.
func TestLibraryName(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, May 26, 2022", "Open MPI v4.1.4"},
		{"MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022", "MPICH 4.0.2"},
		{"MVAPICH2 Version      :\t2.3.7\nMVAPICH2 Release date :\tWed March 02", "MVAPICH2 2.3.7"},
		{"MPI VERSION    : CRAY MPICH version 8.1.25.17 (ANL base 3.4a2)\n", "CRAY MPICH 8.1.25.17 (ANL base 3.4a2)"},
		{"Intel(R) MPI Library 2021.5 for Linux* OS\n", "Intel(R) MPI Library 2021.5 for Linux* OS"},
		{"", ""},
	} {
		expect.Equal(t, libraryName(c.text), c.want, "libraryName", c.text)
	}
}

// Some libraries are CUDA-aware if a variable of the environment is set.
func TestSetCUDAAware(t *testing.T) {
	for name, want := range map[string]bool{
		"MPICH_GPU_SUPPORT_ENABLED=1": true, "MPICH_GPU_SUPPORT_ENABLED=0": false,
		"MV2_USE_CUDA=1": true, "MV2_USE_CUDA=": false, "MV2_USE_GPU=1": false,
	} {
		getenv := func(variable string) string {
			if value, is := strings.CutPrefix(name, variable+"="); is {
				return value
			}
			return ""
		}
		expect.Equal(t, setCUDAAware(getenv), want, name)
	}
}
