package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Every flag refuses an empty value, which the shell passes if a command substitution fails.
func TestEmptyValuesAreRefused(t *testing.T) {
	found := 0
	for _, c := range commandsOf(rootCommand()) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" {
				return
			}
			found++
			args := strings.Fields(c.CommandPath())[1:]
			if strings.Contains(c.Use, " DIR") || strings.Contains(c.Use, " SPEC") || strings.Contains(c.Use, " STUDY") {
				args = append(args, "nowhere")
			}
			status, out, errOut := call(append(args, "--"+f.Name, "")...)
			if status != misuse || !strings.Contains(errOut, "--"+f.Name) || strings.Count(errOut, "\n") != 1 || out != "" {
				t.Errorf("%s --%s \"\": status %d\n%s%s", c.CommandPath(), f.Name, status, out, errOut)
			}
		})
	}
	if found < 50 {
		t.Errorf("only %d flags found", found)
	}
	for _, command := range []string{"report", "submission", "scale"} {
		if status, _, errOut := call(command, ""); status != misuse || !strings.Contains(errOut, "empty argument") {
			t.Errorf("%s \"\": status %d: %s", command, status, errOut)
		}
	}
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
