package main

import (
	"strings"
	"testing"
)

// A run with --power is valid with and without meters; its summary has figures or the reason why there are none.
func TestRunWithPower(t *testing.T) {
	status, out, errOut := call("run", "--scale", "10", "--ranks", "2", "--power", "--power-seconds", "1")
	if status != success || lastLine(out) != "VALID" || !strings.Contains(out, "\npower         ") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	if figures := strings.Contains(out, "TEPS/W"); figures == strings.Contains(out, "power         no figure: ") {
		t.Errorf("figures and a refusal, or neither:\n%s", out)
	}
}
