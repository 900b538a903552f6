package main

import (
	"testing"

	"g500/cmd/cli/clitest"
)

func TestEveryCommandEndsAtASignal(t *testing.T) {
	clitest.EndsAtASignal(t, "g500", map[string][]string{
		"run, official graph":  {"run", "--scale", "21"},
		"run, kernel both":     {"run", "--scale", "20", "--kernel", "both", "--ranks", "3"},
		"run, graph file":      {"run", "--graph", "file:FIFO,format=mtx"},
		"run, roots":           {"run", "--scale", "10", "--roots", "FIFO"},
		"run, synthetic graph": {"run", "--graph", "road:4000x4000"},
		"run, min-time":        {"run", "--scale", "10", "--keys", "2", "--min-time", "10m"},
		"generate":             {"generate", "--scale", "24", "--output", "DIR/edges"},
		"graph info":           {"graph", "info", "road:4000x4000"},
		"graph info, file":     {"graph", "info", "file:FIFO,format=mtx"},
		"graph convert":        {"graph", "convert", "road:4000x4000", "DIR/road.gr"},
		"graph convert, file":  {"graph", "convert", "file:FIFO,format=mtx", "DIR/road.gr"},
		"validate":             {"validate", "--edges", "DIR/zeros", "--scale", "20", "--tree", "x", "--root", "1"},
		"net":                  {"net", "--repeats", "1000000"},
		"scale, a run":         {"scale", "DIR/study.toml", "--output", "DIR/study"},
	})
}
