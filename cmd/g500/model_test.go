package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"g500/analysis/model"
)

func TestModelPrints(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "scale 28, ranks 4, nodes 1, exchange bitmap"},
		{[]string{"--scale", "31", "--ranks", "8"}, "scale 31, ranks 8, nodes 2"},
		{[]string{"--ranks", "8", "--ranks-per-node", "8"}, "ranks 8, nodes 1"},
		{[]string{"--scale", "20", "--scaling", "strong", "--ranks", "2"}, "strong scaling"},
		{[]string{"--compare", "../../results/h200x4/2026-11-22/gpus1-scale26"}, "mean of 64 traced searches"},
		{[]string{"--compare", "../../results/h200/2026-11-24/scale26-bits64"}, "mean of 64 traced searches"},
		{[]string{"--compare", "../../results/h200x2/2026-11-23/gpus2-scale28-bits64"}, "ranks 2, nodes 1"},
		{[]string{"--print-profile", "--network-gbs", "25"}, "gbs = 25.0"},
		{[]string{"--print-profile", "--network", "hdr200"}, "name = \"hdr200\"\ngbs = 25.0"},
		{[]string{"--networks", "--scale", "22", "--ranks", "8"}, "slingshot200"},
	} {
		status, out, errOut := call(append([]string{"model"}, c.args...)...)
		if status != success || !strings.Contains(out, c.want) {
			t.Errorf("%v: status %d, %q is not in\n%s%s", c.args, status, c.want, out, errOut)
		}
	}
}

// A table separates the schemes of the program from hypothetical ones; refused scales have a reason instead of a rate.
func TestModelSeparatesHypotheticalSchemes(t *testing.T) {
	out := mustCall(t, "model", "--scale", "28", "--scaling", "weak", "--ranks", "4")
	program, hypothetical, apart := strings.Cut(out, "HYPOTHETICAL")
	if !apart || !strings.Contains(program, "the program as it is") {
		t.Fatalf("the schemes are not separated:\n%s", out)
	}
	for _, scheme := range []string{"gaps", "queries", "hubs", "grid"} {
		if strings.Contains(program, scheme) || !strings.Contains(hypothetical, scheme) {
			t.Errorf("%s is not only among the hypothetical schemes:\n%s", scheme, out)
		}
	}
	if first := strings.Fields(strings.Split(program, "\n")[5]); len(first) != 9 { // time and share, twice
		t.Errorf("the row of one rank is %q", first)
	}
	_, program, _ = call("model", "--scale", "35", "--scaling", "weak", "--ranks", "2")
	refused := regexp.MustCompile(`(?m)^ +[12] +3[56] +[0-9.]+ TB +refused: a GPU owns`)
	if n := len(refused.FindAllString(program, -1)); n != 2 {
		t.Errorf("%d of 2 rows of refused scales have no rate, but a reason:\n%s", n, program)
	}

	_, out, _ = call("model", "--scale", "28", "--scaling", "weak", "--ranks", "4", "--json")
	var s model.Scaling
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		t.Fatal(err)
	}
	for _, row := range s.Rows {
		for _, c := range row.Costs {
			exists := c.Scheme == model.Bitmap || c.Scheme == model.Bins
			if c.Hypothetical == exists {
				t.Errorf("scale %d, %s: hypothetical is %v", row.Scale, c.Scheme, c.Hypothetical)
			}
		}
	}
}

// Pictures name the model and the network.
func TestModelDrawsItsTable(t *testing.T) {
	dir := t.TempDir()
	status, _, errOut := call("model", "--scaling", "weak", "--scale", "16", "--ranks", "8", "--network", "100gbe",
		"--output", dir)
	if status != success {
		t.Fatal(errOut)
	}
	for _, name := range []string{"model-rates.svg", "model-parts.svg"} {
		text := read(t, filepath.Join(dir, name))
		if !strings.Contains(text, "Modelled") || !strings.Contains(text, "100gbe") {
			t.Errorf("%s does not name the model and the network", name)
		}
	}
}

func TestModelAsJSON(t *testing.T) {
	status, out, errOut := call("model", "--scale", "28", "--ranks", "8", "--json")
	var m model.Prediction
	if err := json.Unmarshal([]byte(out), &m); status != success || err != nil {
		t.Fatalf("status %d, %v\n%s", status, err, errOut)
	}
	if m.Graph.Scale != 28 || m.Ranks != 8 || m.TEPS <= 0 || len(m.Steps) == 0 {
		t.Errorf("%+v", m)
	}
}

// A flag overrides the machine file, which overrides the defaults.
func TestModelProfile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "slow.toml")
	writeText(t, path, "[host]\nranks = 2\n\n[network]\ngbs = 1\n")
	status, out, errOut := call("model", "--profile", path, "--network-gbs", "2", "--print-profile")
	if status != success || !strings.Contains(out, "ranks = 2\n") || !strings.Contains(out, "\ngbs = 2.0\n") ||
		!strings.Contains(out, "barrier_us = 4.6\n") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
}
