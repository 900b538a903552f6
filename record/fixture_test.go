package record

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"g500/internal/expect"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// small is a valid run on a tiny graph: fewer than 64 keys, two searches resumed, one note.
func small() *Run {
	return &Run{
		Scale: 5, EdgeFactor: 8, Ranks: 3, ResultBits: 64, GenerationSeconds: 0.25,
		Kernels: []KernelRun{{Kernel: BFS, Keys: 5, ConstructionSeconds: 0.5, Searches: []Search{
			{Key: 0, Root: 17, Seconds: 0.004, Edges: 200, EdgesWithLoops: 209, Reached: 21, Levels: 4, ValidateSeconds: 0.010},
			{Key: 1, Root: 3, Seconds: 0.002, Edges: 200, EdgesWithLoops: 209, Reached: 21, Levels: 3, ValidateSeconds: 0.012},
			{Key: 2, Root: 30, Seconds: 0.001, Edges: 2, EdgesWithLoops: 2, Reached: 2, Levels: 2, ValidateSeconds: 0.011},
			{Key: 3, Root: 8, Seconds: 0.005, Edges: 200, EdgesWithLoops: 209, Reached: 21, Levels: 4, ValidateSeconds: 0.014},
			{Key: 4, Root: 0, Seconds: 0.0025, Edges: 200, EdgesWithLoops: 209, Reached: 21, Levels: 3, ValidateSeconds: 0.013},
		}}},
		Resumed: 2,
		Parts: []Part{
			{Searches: 0, Environment: Environment{Started: "2026-01-02T01:00:00Z"}},
			{Searches: 2, ConstructionSeconds: 0.4, Environment: Environment{Started: "2026-01-02T02:00:00Z"}},
		},
		Notes: []string{"the edges were read from tiny.edges"},
		Environment: Environment{
			Program: Program{Version: "g500 test"},
			Command: []string{"g500", "run", "--output", "runs/<tiny>"}, Started: "2026-01-02T03:04:05Z",
			Nodes: []string{"a", "a", "b"}, CPU: "abacus", Cores: 2, Threads: 1, MemoryB: 1 << 30,
			System: "linux/amd64", Go: "go1.24", Transport: "loopback", Engine: "topdown",
		},
	}
}

// broken is the small run with a wrong tree.
func broken() *Run {
	r := small()
	r.Kernels[0].Searches[2].Fault = "the tree has a cycle"
	return r
}

func cutOff() *Run {
	r := small()
	r.Kernels[0].Searches = r.Kernels[0].Searches[:3]
	r.Failure = "interrupted"
	return r
}

func rankLost() *Run {
	r := small()
	r.Failure = "rank 2 was killed"
	return r
}

func unvalidated() *Run {
	r := small()
	for i := range r.Kernels[0].Searches {
		r.Kernels[0].Searches[i].ValidateSeconds = NotValidated
	}
	return r
}

// sample is a run with the statistics of testdata/sample_official.txt, output of the Graph500 reference code. Its 64
// times are invented to fit.
func sample(t *testing.T) *Run {
	t.Helper()
	in := expect.Value(os.Open("testdata/sample_searches.csv"))(t)
	defer in.Close()
	rows := expect.Value(csv.NewReader(in).ReadAll())(t)
	r := &Run{
		Scale: 10, EdgeFactor: 16, Ranks: 1, GenerationSeconds: 0.00418746,
		Kernels: []KernelRun{{Kernel: BFS, Keys: 64, ConstructionSeconds: 0.000464493}},
	}
	for key, row := range rows[1:] {
		r.Kernels[0].Searches = append(r.Kernels[0].Searches, Search{
			Key: key, Seconds: number(t, row[0]), Edges: 16239, ValidateSeconds: number(t, row[1]),
		})
	}
	return r
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x := expect.Value(strconv.ParseFloat(text, 64))(t)
	return x
}

// writers are all outputs of a run.
var writers = map[string]func(*Run, io.Writer) error{
	"official.txt": (*Run).WriteOfficial,
	"spec.txt":     (*Run).WriteSpec,
	"json":         (*Run).WriteJSON,
	"csv":          func(r *Run, w io.Writer) error { return r.WriteCSV(w, r.Kernels[0]) },
	"summary.txt":  (*Run).WriteSummary,
}

func written(t *testing.T, write func(*Run, io.Writer) error, r *Run) string {
	t.Helper()
	var b bytes.Buffer
	expect.NoError(t, write(r, &b))
	return b.String()
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	b := expect.Value(os.ReadFile(name))(t)
	return string(b)
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// The files in testdata have every output of two runs, and the outputs of two traced runs that show the trace.
func TestGolden(t *testing.T) {
	traceForms := []string{"json", "summary.txt"}
	for name, c := range map[string]struct {
		run   *Run
		forms []string
	}{
		"small":        {small(), slices.Collect(maps.Keys(writers))},
		"unvalidated":  {unvalidated(), slices.Collect(maps.Keys(writers))},
		"traced":       {traced(), traceForms},
		"traced-alone": {tracedAlone(), traceForms},
	} {
		for _, form := range c.forms {
			file := "testdata/" + name + "." + form
			got := written(t, writers[form], c.run)
			if *update {
				expect.Write(t, file, got)
			}
			if want := readFile(t, file); got != want {
				t.Errorf("%s:\n%s", file, difference(lines(want), lines(got)))
			}
		}
	}
}

// difference lists the lines that only one of two texts has, after a - for the first and a + for the second.
func difference(was, is []string) string {
	if len(was)*len(is) > 1<<24 {
		return "too long to compare line by line"
	}
	common := make([][]int, len(was)+1) // length of the longest common sequence of the rests
	for i := range common {
		common[i] = make([]int, len(is)+1)
	}
	for i := len(was) - 1; i >= 0; i-- {
		for j := len(is) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); was[i] == is[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var b strings.Builder
	for i, j := 0, 0; i < len(was) || j < len(is); {
		switch {
		case i < len(was) && j < len(is) && was[i] == is[j]:
			i, j = i+1, j+1
		case j == len(is) || i < len(was) && common[i+1][j] >= common[i][j+1]:
			fmt.Fprintf(&b, "%d - %s\n", i+1, was[i])
			i++
		default:
			fmt.Fprintf(&b, "%d + %s\n", j+1, is[j])
			j++
		}
	}
	return b.String()
}

func TestDifference(t *testing.T) {
	for _, c := range []struct{ was, is, want string }{
		{"a\nb\nc", "a\nb\nc", ""},
		{"a\nb\nc", "a\nc", "2 - b\n"},
		{"a\nc", "a\nb\nc\nd", "2 + b\n4 + d\n"},
		{"a\nb\nc", "a\nx\nc", "2 - b\n2 + x\n"},
	} {
		expect.Equal(t, difference(lines(c.was), lines(c.is)), c.want, c.was, "and", c.is)
	}
}
