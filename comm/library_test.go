package comm

import "testing"

// The first lines are Open MPI's and MPICH's own, and those in the documents of the others.
func TestLibraryName(t *testing.T) {
	for said, want := range map[string]string{
		"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022":       "Open MPI v4.1.4",
		"MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\nMPICH ABI:\t14:2:2": "MPICH 4.0.2",
		"MVAPICH2 Version      :\t2.3.7\nMVAPICH2 Release date :\tWed March 02 22:00:00 EST 2022":      "MVAPICH2 2.3.7",
		"MPI VERSION    : CRAY MPICH version 8.1.25.17 (ANL base 3.4a2)\nMPI BUILD INFO : Sun Feb 26":  "CRAY MPICH 8.1.25.17 (ANL base 3.4a2)",
		"Intel(R) MPI Library 2021.5 for Linux* OS\n":                                                  "Intel(R) MPI Library 2021.5 for Linux* OS",
		"": "",
	} {
		if got := libraryName(said); got != want {
			t.Errorf("libraryName(%q) is %q, want %q", said, got, want)
		}
	}
}
