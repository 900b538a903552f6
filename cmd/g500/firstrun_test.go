package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// firstRun returns slurm/first-run.sh without Slurm, and its folder. Its mpirun starts one task of the program, whose
// shell commands are g500.
func firstRun(t *testing.T, g500 string, settings ...string) (job *exec.Cmd, folder string) {
	t.Helper()
	bin := t.TempDir()
	writeText(t, filepath.Join(bin, "mpirun"), "#!/bin/sh\n[ \"$1 $2\" = \"-n 4\" ] && shift 2 && exec \"$@\"\n")
	writeText(t, filepath.Join(bin, "g500"), "#!/bin/sh\n[ \"$1\" != version ] || exit 0\n"+g500)
	folder = filepath.Join(bin, "runs", "first")
	job = asG500(exec.Command("bash", "slurm/first-run.sh", folder))
	job.Dir = "../.."
	job.Env = append(job.Env, "PATH="+bin+":"+os.Getenv("PATH"), "G500="+filepath.Join(bin, "g500"), "SLURM_JOB_ID=",
		"NODES=2", "RANKS_PER_NODE=2", "MPIRUN=mpirun", "KEYS=2", "SCALES=", "TRANSPORTS=", "LIMIT=60", "TEST="+os.Args[0])
	job.Env = append(job.Env, settings...)
	return job, folder
}

// expect fails the test unless each line of a summary that a pattern matches is there, in this order.
func expect(t *testing.T, summary string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		at := regexp.MustCompile("(?m)^" + line + "$").FindStringIndex(summary)
		if at == nil {
			t.Fatalf("no line %q in the rest of the summary\n%s", line, summary)
		}
		summary = summary[at[1]:]
	}
}

// On CPUs the first run measures the network and runs both kernels; its archive has all runs for a report.
func TestFirstRun(t *testing.T) {
	job, folder := firstRun(t, `exec "$TEST" "$@"`, "SCALES=4 5")
	printed, err := job.CombinedOutput()
	if err == nil {
		t.Error("a first run on other nodes than named succeeds")
	}
	valid := func(kernel, scale string) string { return kernel + " +" + scale + "  auto +[0-9.]+ [kMG]TEPS +VALID" }
	expect(t, string(printed), "doctor +the ranks are on 1 nodes, not 2: in MPIRUN .*",
		"net +auto +(done|slow: .*)", valid("bfs", "4"), valid("sssp", "4"),
		valid("bfs", "5"), valid("sssp", "5"), "5 of 6 steps succeeded", ".*/first.tar.gz: g500 report reads it")
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if out := mustCall(t, "report", folder+".tar.gz"); !strings.Contains(out, "4 runs") {
		t.Error(out)
	}
	for setting, want := range map[string]string{
		"NODES=two": "set the number of nodes", "KEYS=0": "search.keys = 0: it must be from 1 to 65536",
	} {
		job, folder := firstRun(t, `exec "$TEST" "$@"`, setting)
		printed, err := job.CombinedOutput()
		if _, made := os.Stat(folder); err == nil || made == nil || !strings.Contains(string(printed), want) {
			t.Errorf("%s: %v\n%s", setting, err, printed)
		}
	}
}

// gpuNodes returns shell commands that print the output of doctor on two nodes with two GPUs each.
func gpuNodes(mpi, nccl string) string {
	return `[ "$1" != doctor ] || exec echo "node:          n1
MPI:           mpirun; ` + mpi + `
GPUs:          2, driver for CUDA 12.4
               NVIDIA H200, 139 GiB, up to scale 29
node:          n2
               NVIDIA H100, 78 GiB, up to scale 28
               ` + nccl + `"
`
}

// On GPUs the first run chooses transports and scales by doctor. A step that fails or does not end is named with its
// reason, and the other steps run.
func TestFirstRunOnGPUs(t *testing.T) {
	for file, text := range map[string]string{
		"gpu/describe.go": ", up to scale %d", "gpu/device/nccl.go": `"no --gpu-transport %s: %v", NCCLTransport`,
		"cmd/g500/doctor.go": "its library is CUDA-aware",
	} {
		if !strings.Contains(read(t, "../../"+file), text) {
			t.Errorf("slurm/first-run.sh reads %q in the output of doctor, and %s does not print it", text, file)
		}
	}
	g500 := gpuNodes("its library is CUDA-aware: it sends from GPU memory", "NCCL 2.28.3, for --gpu-transport nccl") + `
case $1$5$7$9 in
netnccl) echo "slow: 0-1" ;;
runstagedbfs27) exec sleep 60 ;;
runmpibfs27) echo "g500: rank 1: no memory"; exit 1 ;;
runncclsssp27) printf 'INVALID: search key 3\nlast\n'; exit 1 ;;
runstagedsssp27) printf 'first\nmpirun noticed that rank 1 was killed\n---\n'; exit 137 ;;
runmpisssp27) exit 9 ;;
*) printf 'harmonic mean %s GTEPS, n = 2\nVALID\n' "$9" ;;
esac`
	faults := map[string]string{
		"bfs 27 staged": "ended after its limit of 2 seconds: see .*", "bfs 27 mpi": "rank 1: no memory",
		"sssp 27 nccl": "INVALID: search key 3", "sssp 27 staged": "mpirun noticed that rank 1 was killed",
		"sssp 27 mpi": "exit status 9, without a message",
	}
	job, _ := firstRun(t, g500, "LIMIT=2")
	began := time.Now()
	printed, err := job.CombinedOutput()
	if took := time.Since(began); err == nil || took > 20*time.Second {
		t.Errorf("a first run with failed steps ends with %v, after %v", err, took)
	}
	lines := []string{"doctor +2 nodes", "net +peer.nccl +done", "net +nccl +slow: 0-1", "net +mpi +done",
		"net +staged +done"}
	for _, scale := range []string{"25", "27", "29"} { // 28 of the smaller GPU, less 1, and 2 for four ranks
		for _, kernel := range []string{"bfs", "sssp"} {
			for _, transport := range []string{"peer+nccl", "nccl", "mpi", "staged"} {
				row := kernel + " +" + scale + "  " + regexp.QuoteMeta(transport) + " +"
				if fault := faults[kernel+" "+scale+" "+transport]; fault != "" {
					lines = append(lines, row+fault)
				} else {
					lines = append(lines, row+scale+" GTEPS +VALID")
				}
			}
		}
	}
	expect(t, string(printed), append(lines, "24 of 29 steps succeeded")...)
}

// Transports that the nodes do not have are left out, with the reason.
func TestFirstRunLeavesTransportsOut(t *testing.T) {
	const reason = "no --gpu-transport nccl: NCCL is not found"
	job, folder := firstRun(t, gpuNodes("its library is not CUDA-aware", reason)+"echo VALID", "SCALES=9")
	job.Args[2] = folder + "//"
	printed, err := job.CombinedOutput()
	if err != nil || strings.Count(string(printed), "\n") != 12 {
		t.Errorf("%v\n%s", err, printed)
	}
	expect(t, string(printed), "GPUs: +2, driver for CUDA 12.4", "MPI: .*", "without transport nccl: "+reason,
		"without transport mpi: the MPI library is not CUDA-aware", "net +staged +done",
		"bfs +9  staged +VALID", "sssp +9  staged +VALID", "4 of 4 steps succeeded",
		regexp.QuoteMeta(folder)+".tar.gz: g500 report reads it")
}

// After SIGTERM the running step and the first run end within seconds, with a summary and an archive.
func TestFirstRunEndsAfterSIGTERM(t *testing.T) {
	job, folder := firstRun(t, `[ "$1" != net ] || { touch "$0.runs"; exec sleep 60; }`, "SCALES=4")
	if err := job.Start(); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if _, err := os.Stat(filepath.Join(filepath.Dir(filepath.Dir(folder)), "g500.runs")); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	began := time.Now()
	if err := job.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := job.Wait(); err == nil || time.Since(began) > 10*time.Second {
		t.Errorf("it ends after %v with %v", time.Since(began), err)
	}
	expect(t, read(t, filepath.Join(folder, "summary.txt")), "net +auto +ended by a signal",
		"bfs +4  auto +not run, because a signal ended the job", "0 of 4 steps succeeded")
	if _, err := os.Stat(folder + ".tar.gz"); err != nil {
		t.Error(err)
	}
}
