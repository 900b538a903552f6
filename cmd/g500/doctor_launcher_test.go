package main

import "testing"

func TestLauncherVersion(t *testing.T) {
	for said, want := range map[string]string{
		"mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/\n":                           "mpirun (Open MPI) 4.1.4",
		"HYDRA build details:\n    Version:                                 4.0.2\n    Release Date:      Thu Apr  7\n": "Hydra 4.0.2",
		"HYDRA build details:\n": "Hydra ",
	} {
		if got := launcherVersion(said); got != want {
			t.Errorf("launcherVersion(%q) is %q, want %q", said, got, want)
		}
	}
}
