package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// batch runs the batch file for one node like Slurm, with an srun that starts one task. The program is this test, then
// the shell commands of after.
func batch(t *testing.T, after string, args ...string) (printed string) {
	t.Helper()
	bin := t.TempDir()
	for name, text := range map[string]string{
		"srun":     "while [ \"${1#--}\" != \"$1\" ]; do shift; done\n\"$@\"\n",
		"scontrol": "echo \"scontrol $*\"\n",
		"g500": "[ \"$1\" != version ] || exit 0\n" +
			"G500_TEST_AS_PROGRAM=1 " + os.Args[0] + " \"$@\"\nstatus=$?\n" +
			"case \"$*\" in *--print-config*) exit $status ;; esac\n" + after + "\nexit $status\n",
	} {
		writeText(t, filepath.Join(bin, name), "#!/bin/sh\n"+text)
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

// A program without MPI is refused, also if it is still printing when that is found.
func TestBatchFileRefusesAProgramWithoutMPI(t *testing.T) {
	program := write(t, "#!/bin/sh\necho 'loopback; no MPI'\nsleep 0.1\necho more\necho 'and more'\n")
	shell := exec.Command("bash", "-euo", "pipefail", "-c", ". ../../slurm/job.sh; check tiny")
	shell.Env = append(os.Environ(), "SLURM_JOB_ID=7", "G500="+program)
	if printed, err := shell.CombinedOutput(); err == nil || !strings.Contains(string(printed), "built without MPI") {
		t.Errorf("%v\n%s", err, printed)
	}
}

// A scaling study uses all tasks of its job; with weak scaling their largest power of two.
func TestSweepUsesAllTasks(t *testing.T) {
	for args, want := range map[string]string{
		"strong 1": "1", "strong 8": "1 2 4 8", "strong 12": "1 2 4 8 12", "weak 8": "1 2 4 8",
		"weak 12": "1 2 4 8 weak scaling doubles the ranks and uses only 8 of the job's 12 tasks: start a power of two",
	} {
		script := ". ../../slurm/job.sh; sweep_ranks " + args
		shell := exec.Command("bash", "-euo", "pipefail", "-c", script)
		shell.Env = append(os.Environ(), "LC_ALL=C")
		printed, err := shell.CombinedOutput()
		if got := strings.Join(strings.Fields(string(printed)), " "); err != nil || got != want {
			t.Errorf("%s: %q (%v), want %q", args, got, err, want)
		}
	}
}

// A job with exclusive nodes requests all their memory, which --exclusive alone does not.
func TestBatchFilesTakeAllMemory(t *testing.T) {
	files, err := filepath.Glob("../../slurm/*.s*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text := read(t, file)
		has := func(option string) bool { return strings.Contains(text, "#SBATCH "+option) }
		if has("--exclusive") != has("--mem=0") {
			t.Errorf("%s has --exclusive without --mem=0", file)
		}
	}
}

// The batch file prints whether to submit a failed job again, and does not requeue a job that would fail again.
func TestBatchFilePrintsWhetherToSubmitAgain(t *testing.T) {
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
