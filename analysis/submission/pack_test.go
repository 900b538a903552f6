package submission

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/internal/expect"
	"g500/record"
)

var packed = []string{"README", "SHA256SUMS", "official.txt", "output.txt", "rules.txt", "run.json", "searches.csv",
	"system.txt"}

func TestFolder(t *testing.T) {
	r := opened(t, kept)
	dir := filepath.Join(t.TempDir(), "entry")
	expect.NoError(t, r.Pack(dir, r.Check()))
	got := map[string]string{}
	for _, name := range packed {
		text := expect.Value(os.ReadFile(filepath.Join(dir, name)))(t)
		got[name] = string(text)
	}
	run, err := record.Stored(kept)
	table, err2 := os.ReadFile(filepath.Join(kept, "searches.csv"))
	for name, want := range map[string][]byte{"run.json": run, "searches.csv": table} {
		if errors.Join(err, err2) != nil || got[name] != string(want) {
			t.Errorf("%s is not what was stored (%v, %v)", name, err, err2)
		}
	}
	if !strings.Contains(got["official.txt"], "bfs  harmonic_mean_TEPS:     !  3.4") ||
		!strings.Contains(got["output.txt"], "bfs_harmonic_mean_TEPS:         3.4") {
		t.Errorf("the result is missing from an output block:\n%s%s", got["official.txt"], got["output.txt"])
	}
	lines := strings.Split(strings.TrimSpace(got["SHA256SUMS"]), "\n")
	if len(lines) != len(packed)-2 {
		t.Errorf("%d checksums of %d files, the list itself and system.txt included", len(lines), len(packed))
	}
	for _, line := range lines {
		sum, name, _ := strings.Cut(line, "  ")
		if want := fmt.Sprintf("%x", sha256.Sum256([]byte(got[name]))); sum != want {
			t.Errorf("%s has the checksum %s, want %s", name, sum, want)
		}
	}
	expect.Error(t, r.Pack(dir, r.Check()), " exists")
}

// An archive has the folder's files, and the same run gives the same bytes.
func TestArchives(t *testing.T) {
	r := opened(t, kept)
	for _, name := range []string{"entry.tar", "entry.tar.gz", "entry.tgz"} {
		one, two := filepath.Join(t.TempDir(), name), filepath.Join(t.TempDir(), name)
		expect.NoError(t, errors.Join(r.Pack(one, r.Check()), r.Pack(two, r.Check())))
		text, again := readFile(t, one), readFile(t, two)
		if !bytes.Equal(text, again) {
			t.Errorf("%s: two archives of one run differ", name)
		}
		var in io.Reader = bytes.NewReader(text)
		if strings.HasSuffix(name, "gz") {
			unzipped := expect.Value(gzip.NewReader(in))(t)
			in = unzipped
		}
		var names []string
		for archive := tar.NewReader(in); ; {
			head, err := archive.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, strings.TrimPrefix(head.Name, "entry/"))
		}
		if slices.Sort(names); !slices.Equal(names, packed) {
			t.Errorf("%s holds %q, want %q", name, names, packed)
		}
	}
}

// A failed attempt leaves no file behind.
func TestPackingThatFails(t *testing.T) {
	r, dir := opened(t, kept), t.TempDir()
	expect.Error(t, r.Pack(filepath.Join(dir, "entry.zip"), r.Check()), ".tar.gz")
	r.Environment.Started = "yesterday"
	if err := r.Pack(filepath.Join(dir, "entry.tar"), r.Check()); err == nil || strings.Count(err.Error(), "date") != 1 {
		t.Errorf("a run without a date: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text := expect.Value(os.ReadFile(path))(t)
	return text
}

func TestBrokenRunIsNotPacked(t *testing.T) {
	r := stored(t, func(r *record.Run, _ *record.Config) { r.GenerationSeconds = 0 })
	dir := filepath.Join(t.TempDir(), "entry")
	if err := r.Pack(dir, r.Check()); err == nil {
		t.Error("a run that breaks a rule was packed")
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder was made: %v", err)
	}
}

// The description has the values that the program knows, and marks the others.
func TestSystem(t *testing.T) {
	text := stored(t, func(r *record.Run, c *record.Config) {
		r.Scale, c.Graph.Scale = 26, 26
		r.Environment.Nodes, r.Environment.CPU = []string{"n1", "n0", "n1", "n0"}, ""
		r.Kernels[0].Power = &record.Power{Watts: 612.3, TEPSPerWatt: 2.3e9,
			Meters: []record.Meter{{Covers: "card 0"}, {Covers: "card 1"}}}
	}).System()
	for _, line := range []string{
		"nodes:                  2 (n0, n1)\n",
		"processor:              FILL IN\n",
		"logical cores:          2\n",
		"other nodes:            FILL IN (only the first is described above)\n",
		"accelerators:           none seen\n",
		"machine:                FILL IN\n",
		"scale:                  26 (the problem class toy)\n",
		"BFS GTEPS:              3.4",
		"power:                  FILL IN",
		"BFS power of parts:     612.3 W, 2300 MTEPS/W: card 0, card 1\n",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
}

func TestSystemOfTwoKindsOfNodes(t *testing.T) {
	text := stored(t, func(r *record.Run, _ *record.Config) {
		e := &r.Environment
		e.Nodes, e.Device = []string{"n0", "n1", "n2"}, &record.Device{Name: "NVIDIA H200",
			Processors: 132, Capability: "9.0", Driver: "CUDA 12.4", Built: "CUDA 12.4", Transports: "one rank"}
		e.Queue = []string{"SLURM_JOB_NUM_NODES=3"}
		e.Machines = []record.Kind{
			{Nodes: []string{"n0", "n2"}, Machine: record.Machine{CPU: "Model X", Sockets: 2, Cores: 64, Threads: 128,
				MemoryB: 512 << 30, GPUs: []string{"NVIDIA H200", "NVIDIA T4", "NVIDIA H200"}, Driver: "550.54.15",
				Networks: []string{"mlx5_0 port 1: InfiniBand", "eth0 (ice): 25 Gb/s"}, Kernel: "6.1", Distro: "Debian 12"}},
			{Nodes: []string{"n1"}, Machine: record.Machine{CPU: "Model Y", Threads: 8, MemoryB: 64 << 30}},
		}
	}).System()
	for _, line := range []string{
		"nodes:                  3 (n0, n1, n2)\n",
		"kind 1 of 2:            2 of the nodes (n0, n2)\n",
		"processor:              2 x Model X, 64 physical cores in all, on each node\n",
		"logical cores:          128 on each node, 256 on all 2\n",
		"memory:                 512 GiB on each node, 1 TiB on all 2\n",
		"accelerators:           2 x NVIDIA H200, 1 x NVIDIA T4 on each node, driver 550.54.15\n",
		"network device:         mlx5_0 port 1: InfiniBand\nnetwork device:         eth0 (ice): 25 Gb/s\n",
		"operating system:       linux/amd64; Debian 12, kernel 6.1\n",
		"kind 2 of 2:            1 of the nodes (n1)\nprocessor:              Model Y\nlogical cores:          8\n",
		"accelerator of rank 0:  GPU 0, NVIDIA H200, 132 multiprocessors, compute capability 9.0, driver for CUDA 12.4; ",
		"queue:                  SLURM_JOB_NUM_NODES=3\n",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
}

func TestRemarks(t *testing.T) {
	r := stored(t, func(r *record.Run, c *record.Config) {
		resumed(r, 12)
		e := &r.Parts[0].Environment
		e.Started, e.Nodes = "2026-01-02T03:04:05Z", []string{"n7"}
		r.Environment.Program = record.NewProgram("g500 0.1.0", "1234567-dirty")
		r.Notes = []string{"ranks 0, 1 share GPU 0"}
		c.Search.Trace = true
	})
	all := strings.Join(r.Remarks(), "\n")
	for _, want := range []string{"SSSP", "1234567-dirty",
		"up to search 12, began 2026-01-02T03:04:05Z on n7, and its kernel 1 took 250 ms", "--trace",
		"ranks 0, 1 share GPU 0"} {
		if !strings.Contains(all, want) {
			t.Errorf("no remark on %q in\n%s", want, all)
		}
	}
	if rest := opened(t, kept).Remarks(); len(rest) != 2 { // the kernel, and the small scale
		t.Errorf("a run without peculiarities has the remarks %q", rest)
	}
}
