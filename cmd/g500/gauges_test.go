package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"g500/record"
)

var (
	gaugeHelp   = regexp.MustCompile(`^# HELP (g500_[a-z0-9_]+) (\S.*\.)$`)
	gaugeLabel  = `[a-z]+="(?:[^"\\]|\\[\\n"])*"`
	gaugeSample = regexp.MustCompile(`^(g500_[a-z0-9_]+)(\{` + gaugeLabel + `(?:,` + gaugeLabel + `)*\})? (\S+)$`)
)

// gaugesIn parses a file strictly by the text format 0.0.4: each name has one HELP line, one TYPE line and then all its
// samples, no series occurs twice, and the last line ends. It returns the values by series.
func gaugesIn(t *testing.T, path string) map[string]float64 {
	t.Helper()
	text := read(t, path)
	if !strings.HasSuffix(text, "\n") || strings.Contains(text, "\n\n") {
		t.Fatalf("%s: an empty or unfinished line in\n%s", path, text)
	}
	values, known, name := map[string]float64{}, map[string]bool{}, ""
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if help := gaugeHelp.FindStringSubmatch(lines[i]); help != nil {
			name = help[1]
			if i++; known[name] || i == len(lines) || lines[i] != "# TYPE "+name+" gauge" {
				t.Fatalf("%s: no single type of %s", path, name)
			}
			known[name] = true
			continue
		}
		sample := gaugeSample.FindStringSubmatch(lines[i])
		if sample == nil || sample[1] != name {
			t.Fatalf("%s: %q is no sample of %q", path, lines[i], name)
		}
		value, err := strconv.ParseFloat(sample[3], 64)
		if _, twice := values[sample[1]+sample[2]]; err != nil || twice {
			t.Fatalf("%s: %q: %v, twice %v", path, lines[i], err, twice)
		}
		values[sample[1]+sample[2]] = value
	}
	return values
}

// A run of any status replaces the file; only a VALID one has rates.
func TestRunForPrometheus(t *testing.T) {
	dir := t.TempDir()
	path, stored := filepath.Join(dir, "run.prom"), filepath.Join(dir, "run")
	mustCall(t, "run", "--quiet", "--scale", "8", "--kernel", "both", "--output", stored, "--prometheus", path)
	run, err := record.Read(stored)
	if err != nil {
		t.Fatal(err)
	}
	got := gaugesIn(t, path)
	for _, k := range run.Kernels {
		labels := `{kernel="` + string(k.Kernel) + `",engine="cpu",graph="official",scale="8",ranks="1",prune="none"}`
		if st := run.Statistics(k); got["g500_run_valid"+labels] != 1 || got["g500_run_searches"+labels] != 64 ||
			got["g500_run_harmonic_mean_teps"+labels] != st.TEPS.HarmonicMean ||
			got["g500_run_search_median_seconds"+labels] != st.Seconds.Median {
			t.Errorf("%s: %v", k.Kernel, got)
		}
	}
	spec := `grid2d:4x4,weights=uniform`
	call("run", "--quiet", "--graph", spec, "--validate=false", "--prometheus", path)
	got = gaugesIn(t, path)
	for series, value := range got {
		if strings.Contains(series, "teps") || strings.HasPrefix(series, "g500_run_valid") && value != 0 ||
			!strings.Contains(series, spec) {
			t.Errorf("not validated: %s %v", series, value)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 || len(got) == 0 {
		t.Errorf("left behind: %v, %v", files, err)
	}
	status, _, errOut := call("run", "--scale", "4", "--prometheus", filepath.Join(dir, "no", "x.prom"))
	if status != failure || !strings.Contains(errOut, "cannot write the file for Prometheus") {
		t.Errorf("status %d: %s", status, errOut)
	}
}

func TestNetForPrometheus(t *testing.T) {
	path := filepath.Join(t.TempDir(), "net.prom")
	status, out, errOut := call("net", "--ranks", "2", "--sizes", "8,4096", "--repeats", "2", "--slow", "1e9", "--check",
		"--min-gbs", "1e9", "--prometheus", path)
	got := gaugesIn(t, path)
	if status != failure || got["g500_net_faults"] != 2 || got["g500_net_ranks"] != 2 ||
		got[`g500_net_latency_seconds{links="inside nodes",pair="worst"}`] <= 0 {
		t.Errorf("status %d, %v\n%s", status, got, out)
	}
	if strings.Count(errOut, "g500: rank ") != 2 || !strings.Contains(errOut, "GB/s, less than 1.00 EB/s\n") {
		t.Errorf("%q", errOut)
	}
	mustCall(t, strings.Fields("net --ranks 2 --sizes 8 --repeats 2 --slow 1e9 --check --max-latency-us 1e9")...)
}

// With --check the exit status of the doctor depends on the limits; each failed one is a line of standard error.
func TestDoctorChecks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "doctor.prom")
	for _, c := range []struct {
		limits string
		faults []string
		says   string
	}{
		{"--min-cores 1 --min-memory-gib 0.5", nil, ""},
		{"--min-cores 100000", []string{"cores"}, "usable cores, at least 100000"},
		{"--min-memory-gib 1e6 --min-gpus 1000", []string{"memory", "GPUs"}, "GPUs, at least 1000"},
		{"--min-gpu-memory-gib 1e5 --peers", []string{"GPU memory"}, "at least 97.7 TiB"},
	} {
		status, out, errOut := call(append([]string{"doctor", "--json", "--check", "--prometheus", path},
			strings.Fields(c.limits)...)...)
		got := gaugesIn(t, path)
		for _, name := range c.faults {
			if got[`g500_doctor_check{check="`+name+`"}`] != 0 {
				t.Errorf("%s: %s passed: %v", c.limits, name, got)
			}
		}
		if err := documents.Validator(t, "doctor").Check([]byte(out)); err != nil {
			t.Errorf("%s: %v", c.limits, err)
		}
		here := slices.ContainsFunc([]string{"bound cores", "CPU quota", "memory limit", "swap"}, func(cause string) bool {
			return got[`g500_doctor_check{check="`+cause+`"}`] == 0
		})
		faulty := len(c.faults) > 0 || here
		if faulty != (status == failure) || faulty == (got["g500_doctor_healthy"] == 1) || !strings.Contains(errOut, c.says) {
			t.Errorf("%s: status %d, %v\n%s", c.limits, status, got, errOut)
		}
	}
}
