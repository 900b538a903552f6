package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/model"
)

func TestModelPrints(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "scale 28, ranks 4, hosts 1, exchange bitmap"},
		{[]string{"--scale", "31", "--ranks", "8"}, "scale 31, ranks 8, hosts 2"},
		{[]string{"--ranks", "8", "--ranks-per-host", "8"}, "ranks 8, hosts 1"},
		{[]string{"--scale", "20", "--scaling", "strong", "--ranks", "2"}, "strong scaling"},
		{[]string{"--compare", "../../results/h200x4/2026-11-22/gpus1-scale26"}, "mean of 64 traced searches"},
		{[]string{"--print-profile", "--network-gbs", "25"}, "gbs = 25.0"},
	} {
		status, out, errOut := call(append([]string{"model"}, c.args...)...)
		if status != success || !strings.Contains(out, c.want) {
			t.Errorf("%v: status %d, %q is not in\n%s%s", c.args, status, c.want, out, errOut)
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

// A flag wins over the profile, which wins over the defaults.
func TestModelProfile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "slow.toml")
	if err := os.WriteFile(path, []byte("[host]\nranks = 2\n\n[network]\ngbs = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, errOut := call("model", "--profile", path, "--network-gbs", "2", "--print-profile")
	if status != success || !strings.Contains(out, "ranks = 2\n") || !strings.Contains(out, "\ngbs = 2.0\n") ||
		!strings.Contains(out, "barrier_us = 4.6\n") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
}

func TestModelRefusesNonsense(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--scale", "0"}, "scale 0 is out of range"},
		{[]string{"--ranks", "0"}, "0 ranks cannot share"},
		{[]string{"--scaling", "strong", "--ranks", "0"}, "up to 0 ranks"},
		{[]string{"--ranks-per-host", "0"}, "at least 1 rank"},
		{[]string{"--network-gbs", "-1"}, "must be above 0"},
		{[]string{"--exchange", "pigeons"}, "there is no exchange"},
		{[]string{"--scaling", "up"}, "weak or strong"},
		{[]string{"--compare", "no-such-run"}, "cannot read the run"},
		{[]string{"--profile", "no-such-profile"}, "cannot read the profile"},
	} {
		status, _, errOut := call(append([]string{"model"}, c.args...)...)
		if status != misuse || !strings.Contains(errOut, c.want) {
			t.Errorf("%v: status %d, error %q", c.args, status, errOut)
		}
	}
}
