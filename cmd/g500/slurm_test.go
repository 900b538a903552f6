package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// batch runs the batch file for one node, as Slurm would, with an srun that starts one task. The program is this one
// or, after it, what a test puts in its place.
func batch(t *testing.T, after string, args ...string) (printed string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	for name, text := range map[string]string{
		"srun":     "while [ \"${1#--}\" != \"$1\" ]; do shift; done\n\"$@\"\n",
		"scontrol": "echo \"scontrol $*\"\n",
		"g500": "[ \"$1\" != version ] || exit 0\n" +
			"G500_TEST_AS_PROGRAM=1 " + program + " \"$@\"\nstatus=$?\n" +
			"case \"$*\" in *--print-config*) exit $status ;; esac\n" + after + "\nexit $status\n",
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	job := exec.Command("bash", append([]string{"slurm/node.sbatch"}, args...)...)
	job.Dir = "../.."
	job.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "G500="+filepath.Join(bin, "g500"),
		"SLURM_JOB_ID=7", "SLURM_NTASKS=1", "SLURM_NTASKS_PER_NODE=1", "SLURM_CPUS_ON_NODE=1", "SLURM_JOB_NODELIST=n")
	out, err := job.CombinedOutput()
	if (err == nil) != (strings.Contains(string(out), "\nVALID\n") && after == "") {
		t.Errorf("the job ends with %v and prints\n%s", err, out)
	}
	return string(out)
}

// What repeating cannot mend is told apart from what it can, and such a job is not put back into the queue.
func TestBatchFileSaysWhetherToSubmitAgain(t *testing.T) {
	const again, never = "submit the same again", "the same again would fail again"
	folder := filepath.Join(t.TempDir(), "run")
	for _, c := range []struct {
		meaning, after string
		args           []string
		want, not      string
	}{
		{"a preset, which runs", "", []string{"tiny", folder, "--scale", "8"}, "VALID", "again"},
		{"no such preset", "", []string{"nowhere", folder}, `there is no preset "nowhere"`, again},
		{"no such edge file", "", []string{"tiny", folder + "2", "--edges", "nowhere"}, never, again},
		{"too little memory", "", []string{"tiny", folder + "3", "--scale", "40"}, never, again},
		{"a lost rank", "echo 'g500: rank 1: comm: AllReduce: MPI_ERR_OTHER' >&2; exit 1",
			[]string{"tiny", folder + "5", "--scale", "8"}, again, never},
		{"a task that was killed", "echo 'srun: error: n: task 1: Killed' >&2; exit 137",
			[]string{"tiny", folder + "6", "--scale", "8"}, again, never},
	} {
		printed := batch(t, c.after, c.args...)
		if !strings.Contains(printed, c.want) || strings.Contains(printed, c.not) ||
			strings.Contains(printed, "Requeue=0") && c.want != never {
			t.Errorf("%s: want %q and no %q in\n%s", c.meaning, c.want, c.not, printed)
		}
	}
}
