package main

import (
	"testing"
)

func TestEmptyValuesAreRefused(t *testing.T) {
	tested.RefusesEmptyValues(t, "report", "submission", "scale")
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
