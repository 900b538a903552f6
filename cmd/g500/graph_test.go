package main

import (
	"strings"
	"testing"

	"g500/graph/formats"
)

func TestGraphSpecs(t *testing.T) {
	status, out, _ := call("graph", "specs")
	if status != success {
		t.Fatal(out)
	}
	for _, k := range formats.Kinds() {
		for _, want := range []string{"\n" + k.Form + "\n", k.Help} {
			if !strings.Contains("\n"+out, want) {
				t.Errorf("nothing of %q", want)
			}
		}
		for _, p := range append(k.Params, formats.Common()...) {
			if !strings.Contains(out, p.Key+"=") && !strings.Contains(out, p.Key+" ") || !strings.Contains(out, p.Range) {
				t.Errorf("nothing of %s", p.Key)
			}
		}
	}
}
