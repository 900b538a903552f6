package main

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// A plan has the memory of each rank by part, the sum and whether it fits; the exit status is 1 if it does not.
func TestPlan(t *testing.T) {
	const plan = "run --plan --host-memory-gib 64 "
	for _, c := range []struct {
		flags  string
		status int
		rows   []string // their names and, if given, figures
	}{
		{"--engine cpu --scale 26", success, []string{"graph and searches", "sum 39.9 64.0", "fits yes"}},
		{"--engine cpu --scale 27", failure, []string{"fits no"}},
		{"--engine cpu --scale 24 --kernel both", success, []string{"shortest paths", "fits yes"}},
		{"--engine gpu --gpu-memory-gib 139 --scale 28", success, []string{"segments", "fits yes yes"}},
		{"--gpu-memory-gib 139 --scale 29", failure, []string{"fits no no"}}, // host memory: 65 GiB
		{"--gpu-memory-gib 139 --scale 29 --edge-memory host --host-memory-gib 65", success, []string{"fits yes"}},
		{"--gpu-memory-gib 139 --scale 30 --ranks 4", success, []string{"bitmaps of all ranks", "fits yes yes"}},
		{"--gpu-memory-gib 139 --scale 41 --ranks 8", failure, nil},
		{"--gpu-memory-gib 139 --engine cpu --scale 20", misuse, nil},
		{"--engine cpu --scale 45", misuse, nil}, // on any machine
	} {
		status, out, errOut := call(strings.Fields(plan + c.flags)...)
		if status != c.status || (status == success) != (errOut == "") {
			t.Errorf("%s: status %d, want %d: %s", c.flags, status, c.status, errOut)
		}
		table := " " + strings.Join(strings.Fields(out), " ") + " "
		for _, row := range c.rows {
			if !strings.Contains(table, " "+row+" ") {
				t.Errorf("%s: no row %q in\n%s", c.flags, row, out)
			}
		}
		if lines := strings.Split(strings.TrimSpace(out), "\n"); out != "" {
			checkSum(t, lines[1:])
		}
	}
}

// checkSum checks that the first column's figures before the row "sum" add up to its figure.
func checkSum(t *testing.T, rows []string) {
	t.Helper()
	sum := 0.0
	for i, row := range rows {
		x, err := strconv.ParseFloat(strings.Fields(row[28:])[0], 64)
		if err != nil {
			t.Fatalf("%s: %v", row, err)
		}
		if strings.HasPrefix(row, "sum ") {
			if math.Abs(sum-x) > 0.05*float64(i+1) {
				t.Errorf("parts add up to %.1f: %s", sum, strings.Join(rows, "\n"))
			}
			return
		}
		sum += x
	}
	t.Errorf("no sum: %q", rows)
}
