package main

import (
	"cmp"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/policy"
	"g500/record"
)

const flagsFile = "../../docs/FLAGS.md"

const flagsHead = "# Flags\n\nGenerated from the program by `make golden`. Flags of `g500 run` override the TOML " +
	"file that `--config` names; the file overrides the\ndefaults. `g500 COMMAND --help` and the manual pages print " +
	"the same help.\n"

// longestHelp is the maximal length of the help of a flag.
const longestHelp = 80

// docs/FLAGS.md lists every flag of every command, with its help and default, and each setting of a configuration file
// with its flag. A flag and its setting have the same default.
func TestFlagsAreDocumented(t *testing.T) {
	settings := map[string]string{} // values of settings without a flag, by key
	for _, s := range record.DefaultConfig().Settings() {
		settings[s.Key] = strings.ReplaceAll(strings.Trim(s.Value, "[]"), " ", ",")
	}
	for _, key := range policy.Keys() { // one flag sets all numbers of the policy
		delete(settings, "policy."+key)
	}
	text := flagsHead
	for _, c := range commandsOf(rootCommand()) {
		rows := ""
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			if n := len(f.Usage); n > longestHelp || f.Usage == "" {
				t.Errorf("%s --%s: help of %d characters, not 1 to %d: %s", c.CommandPath(), f.Name, n, longestHelp, f.Usage)
			}
			cells := []string{code("--" + f.Name), code(strings.Trim(f.DefValue, "[]")), f.Usage}
			if c.Name() == "run" {
				cells = append(cells, code(settingOf(t, f, settings)))
			}
			rows += "| " + strings.Join(cells, " | ") + " |\n"
		})
		if rows != "" {
			text += "\n## " + c.CommandPath() + "\n\n" + flagsTable(c) + rows
		}
	}
	for setting := range settings {
		t.Errorf("%s has no flag", setting)
	}
	old, err := os.ReadFile(flagsFile)
	if *update {
		err = os.WriteFile(flagsFile, []byte(text), 0o644)
	} else if err == nil && string(old) != text {
		t.Errorf("%s is not what the program prints: make golden writes it", flagsFile)
	}
	if err != nil {
		t.Error(err)
	}
}

func flagsTable(c *cobra.Command) string {
	if c.Name() == "run" {
		return "| flag | default | effect | setting |\n|---|---|---|---|\n"
	}
	return "| flag | default | effect |\n|---|---|---|\n"
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// settingOf returns the setting that a flag of "g500 run" overrides, "" if it overrides none. It checks the default and
// removes the setting from the map.
func settingOf(t *testing.T, f *pflag.Flag, settings map[string]string) string {
	t.Helper()
	if f.Name == "policy" {
		return "policy.KEY"
	}
	name := cmp.Or(map[string]string{"output": "dir", "graph": "spec"}[f.Name], strings.ReplaceAll(f.Name, "-", "_"))
	for key, value := range settings {
		if !strings.HasSuffix(key, "."+name) {
			continue
		}
		if delete(settings, key); f.DefValue != value {
			t.Errorf("--%s is %s by default, %s is %s", f.Name, f.DefValue, key, value)
		}
		return key
	}
	return ""
}
