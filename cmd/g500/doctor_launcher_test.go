package main

import "testing"

func TestLauncherVersion(t *testing.T) {
	for _, c := range []struct{ said, want string }{
		{"mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org\n", "mpirun (Open MPI) 4.1.4"},
		{"HYDRA build details:\n    Version:             4.0.2\n    Release Date:   Thu Apr  7\n", "Hydra 4.0.2"},
	} {
		if got := launcherVersion(c.said); got != c.want {
			t.Errorf("launcherVersion(%q) is %q, want %q", c.said, got, c.want)
		}
	}
}
