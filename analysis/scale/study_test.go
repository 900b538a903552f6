// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"path/filepath"
	"strings"
	"testing"

	"g500/internal/expect"
)

// strong is the shortest valid study.
const strong = "scaling = \"strong\"\nscales = [4]\nranks = [1]\n"

func TestLoad(t *testing.T) {
	text := strong + "limit = \"1m30s\"\nlaunch = [\"srun\", \"-n{ranks}\"]\nranks_per_node = 4\n"
	s := expect.Value(Load(expect.File(t, "s.toml", text)))(t)
	if s.Repeats != 1 || s.RanksPerNode != 4 || s.Limit.Seconds() != 90 || len(s.Launch) != 2 {
		t.Errorf("%+v", s)
	}
}

// A study names a preset as g500 run does; a file of that name takes precedence.
func TestStudyNamesAPreset(t *testing.T) {
	path := expect.File(t, "s.toml", strong+"config = \"tiny\"\n")
	s, err := Load(path)
	if err != nil || !strings.HasPrefix(s.configText, "# tiny: ") {
		t.Errorf("%q, %v", s.configText, err)
	}
	expect.Write(t, filepath.Join(filepath.Dir(path), "tiny"), "# mine")
	if s, err := Load(path); err != nil || s.configText != "# mine" {
		t.Errorf("%q, %v", s.configText, err)
	}
}

func TestRepositoryStudies(t *testing.T) {
	files, err := filepath.Glob("../../configs/studies/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no study (%v)", err)
	}
	for _, file := range files {
		expect.NoError(t, expect.Err(Load(file)))
	}
	first := expect.Value(Load("../../configs/studies/laptop.toml"))(t) // cores of one rank, without messages
	expect.Equal(t, first.Axis(), Cores)
	expect.Equal(t, first.Sizes(), []int{1, 2})
}

func TestLoadNamesTheFault(t *testing.T) {
	for meaning, c := range map[string]struct{ text, want string }{
		"no TOML":         {"scaling = \n", ":1:"},
		"unknown setting": {strong + "rank = 3\n", "no setting \"rank\""},
		"unknown scaling": {strings.Replace(strong, "strong", "super", 1), "strong or weak"},
		"no ranks":        {"scaling = \"weak\"\nscales = [4]\n", "gpus, nodes or cores"},
		"no such scale":   {strings.Replace(strong, "4", "0", 1), "scales = 0"},
		"no ranks at all": {strings.Replace(strong, "[1]", "[1, 0]", 1), "ranks = 0"},
		"no kernel":       {strong + "kernels = [\"dfs\"]\n", "bfs, sssp or both"},
		"kernels twice": {strong + "kernels = [\"sssp\"]\nflags = [\"--kernel=bfs\"]\n",
			"must not have --kernel"},
		"three ranks, weak":      {"scaling = \"weak\"\nscales = [4]\nranks = [1, 3]\n", "powers of two"},
		"threads twice":          {strong + "threads = 2\nflags = [\"--threads\", \"1\"]\n", "must not have --threads"},
		"no threads":             {strong + "threads = -1\n", "threads = -1: it must be from 1 to 1024, or 0"},
		"no repeats":             {strong + "repeats = 0\n", "repeats"},
		"repeats mistyped":       {strong + "repeats = 1000000000\n", "repeats = 1000000000: it must be from 1 to 1000"},
		"the study's own flag":   {strong + "flags = [\"--scale=4\"]\n", "--scale, which the study sets"},
		"two axes":               {strong + "nodes = [1]\n", "exclude each other"},
		"nodes on one machine":   {strings.Replace(strong, "ranks", "nodes", 1), "add launch"},
		"cores and threads":      {strings.Replace(strong, "ranks", "cores", 1) + "threads = 2\n", "exclude each other"},
		"too many cores":         {"scaling = \"strong\"\nscales = [4]\ncores = [2000]\n", "1024 at most"},
		"an engine for GPUs":     {strings.Replace(strong, "ranks", "gpus", 1) + "flags = [\"--engine=cpu\"]\n", "--engine"},
		"a launch without ranks": {strong + "launch = [\"mpirun\"]\n", "{ranks}"},
		"nodes without a launch": {strong + "ranks_per_node = 4\n", "without launch"},
		"no duration":            {strong + "limit = \"soon\"\n", "soon"},
		"a negative limit":       {strong + "limit = \"-1s\"\n", "above 0"},
		"no such configuration":  {strong + "config = \"nowhere.toml\"\n", "nowhere.toml"},
	} {
		expect.Error(t, expect.Err(Load(expect.File(t, "s.toml", c.text))), c.want, meaning)
	}
	if _, err := Load("nowhere.toml"); err == nil || !strings.HasPrefix(err.Error(), "scale: ") {
		t.Errorf("no file: %v", err)
	}
}

// All runs of a study have the same number of threads per rank, unless something else decides.
func TestFixedThreads(t *testing.T) {
	for meaning, c := range map[string]struct {
		study string
		cores int
		want  int
	}{
		"cores by the most ranks":   {"ranks = [4, 1, 2]\n", 32, 8},
		"rounded down":              {"ranks = [1, 3]\n", 32, 10},
		"more ranks than cores":     {"ranks = [1, 4]\n", 2, 1},
		"the study's own":           {"ranks = [1, 4]\nthreads = 3\n", 32, 3},
		"a flag":                    {"ranks = [1, 4]\nflags = [\"--threads\", \"1\"]\n", 32, 0},
		"a flag with =":             {"ranks = [1, 4]\nflags = [\"--threads=1\"]\n", 32, 0},
		"a preset":                  {"ranks = [1, 4]\nconfig = \"tiny\"\n", 32, 8},
		"a launcher":                {"ranks = [1, 4]\nlaunch = [\"srun\", \"-n{ranks}\"]\n", 32, 0},
		"a launcher, the study's":   {"ranks = [1]\nthreads = 3\nlaunch = [\"srun\", \"-n{ranks}\"]\n", 32, 3},
		"cores that are not known":  {"ranks = [1, 4]\n", 0, 0},
		"more cores than a setting": {"ranks = [1]\n", 5000, 1024},
	} {
		s := expect.Value(Load(expect.File(t, "s.toml", strings.Replace(strong, "ranks = [1]\n", c.study, 1))))(t)
		expect.Equal(t, s.fixedThreads(c.cores), c.want, meaning)
	}
	s := Study{Ranks: []int{1}, Config: "x", configText: "[machine]\nthreads = 5\n"}
	expect.Equal(t, s.fixedThreads(8), 0)
}

func TestPlan(t *testing.T) {
	name := func(s Study) string {
		var names []string
		for _, r := range s.Plan() {
			names = append(names, r.String())
		}
		return strings.Join(names, " ")
	}
	for meaning, c := range map[string]struct {
		study Study
		want  string
	}{
		"rounds of all points, each in an order of its own": {
			Study{Scaling: Strong, Scales: []int{20}, Ranks: []int{4, 1, 1}, Repeats: 2},
			"scale20-ranks1-run1 scale20-ranks4-run1 scale20-ranks4-run2 scale20-ranks1-run2"},
		"the graph grows with the ranks": {
			Study{Scaling: Weak, Scales: []int{20, 10}, Ranks: []int{1, 8}, Repeats: 1},
			"scale20-ranks1-run1 scale23-ranks8-run1 scale10-ranks1-run1 scale13-ranks8-run1"},
		"each kernel; runs of BFS have the names of a study without kernels": {
			Study{Scaling: Strong, Scales: []int{20}, Ranks: []int{1}, Repeats: 1, Kernels: []string{"sssp", "bfs"}},
			"scale20-ranks1-run1 scale20-ranks1-run1-sssp"},
		"nodes": {Study{Scaling: Weak, Scales: []int{20}, Nodes: []int{2}, RanksPerNode: 4, Repeats: 1},
			"scale21-nodes2-run1"},
		"GPUs":  {Study{Scaling: Strong, Scales: []int{20}, GPUs: []int{2}, Repeats: 1}, "scale20-gpus2-run1"},
		"cores": {Study{Scaling: Weak, Scales: []int{20}, Cores: []int{4}, Repeats: 1}, "scale22-cores4-run1"},
	} {
		expect.Equal(t, name(c.study), c.want, meaning)
	}
}

func TestCommand(t *testing.T) {
	for meaning, c := range map[string]struct {
		study          Study
		config, kernel string
		resume         bool
		want           string
	}{
		"goroutines of one process": {Study{RanksPerNode: 1, Flags: []string{"--engine", "cpu"}}, "c.toml", "", false,
			"g500 run --config c.toml --engine cpu --ranks 6 --scale 26 --output d"},
		"a launcher, nodes rounded up": {
			Study{RanksPerNode: 4, Launch: []string{"srun", "-N{nodes}", "-n", "{ranks}", "s{scale}"}}, "c.toml", "", false,
			"srun -N2 -n 6 s26 g500 run --config c.toml --scale 26 --output d"},
		"resumed": {Study{RanksPerNode: 1, Launch: []string{"mpirun", "-n", "{ranks}"}, Flags: []string{"--trace"}},
			"c.toml", "", true, "mpirun -n 6 g500 run --resume d"},
		"no configuration": {Study{RanksPerNode: 1}, "", "", false, "g500 run --ranks 6 --scale 26 --output d"},
		"threads": {Study{RanksPerNode: 1, Threads: 2, Flags: []string{"--trace"}}, "", "", false,
			"g500 run --threads 2 --trace --ranks 6 --scale 26 --output d"},
		"a kernel": {Study{RanksPerNode: 1}, "", "sssp", false,
			"g500 run --kernel sssp --ranks 6 --scale 26 --output d"},
		"cores": {Study{RanksPerNode: 1, Cores: []int{6}}, "", "", false,
			"g500 run --threads 6 --ranks 6 --scale 26 --output d"},
		"GPUs": {Study{RanksPerNode: 1, GPUs: []int{6}}, "", "", false,
			"g500 run --engine gpu --ranks 6 --scale 26 --output d"},
	} {
		r := Planned{Scale: 26, Ranks: 6, Units: 6, Repeat: 1, Kernel: c.kernel}
		expect.Equal(t, strings.Join(c.study.command("g500", c.config, "d", r, c.resume), " "), c.want, meaning)
	}
}
