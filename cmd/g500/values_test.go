package main

import (
	"strings"
	"testing"
)

func TestEmptyValuesAreRefused(t *testing.T) {
	tested.RefusesEmptyValues(t, "report", "submission", "scale")
}

func TestWholeNumbersAreDecimal(t *testing.T) {
	status, out, errOut := call("run", "--scale", "010", "--edgefactor", "016", "--keys", "02")
	if status != success || !strings.Contains(out, "SCALE:                          10\n") ||
		!strings.Contains(out, "edgefactor:                     16\n") || !strings.Contains(out, "n = 2") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	for _, number := range []string{"0x10", "0b1", "1_0", "1e1", "ten", "99999999999999999999"} {
		status, _, errOut := call("run", "--scale", number)
		if status != misuse || !strings.Contains(errOut, "a whole number is needed") {
			t.Errorf("--scale %s: status %d: %s", number, status, errOut)
		}
	}
}

// quick has arguments with which each command ends soon. Other commands take none.
var quick = map[string]string{
	"g500 run":           "--scale 3 --keys 2 --quiet --engine cpu --threads 1",
	"g500 generate":      "--scale 3 --output edges",
	"g500 validate":      "--scale 3 --tree tree --root 1",
	"g500 scale":         "nowhere.toml",
	"g500 report":        "nowhere",
	"g500 submission":    "nowhere",
	"g500 compare":       "nowhere nowhere",
	"g500 net":           "--sizes 8 --repeats 1",
	"g500 doctor":        "--check",
	"g500 schema":        "run-3",
	"g500 graph info":    "grid2d:2x2",
	"g500 graph convert": "grid2d:2x2 graph.mtx",
}

func TestFlagsRefuseOddValues(t *testing.T) { tested.RefusesOddValues(t, quick) }
