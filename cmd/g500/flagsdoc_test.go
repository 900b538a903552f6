// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/internal/expect"
	"g500/settings"
)

const flagsFile = "../../docs/FLAGS.md"

const flagsHead = "# Flags\n\nGenerated from the program by `make golden`. Flags of `g500 run` override the TOML " +
	"file that `--config` names; the file overrides the\ndefaults. `g500 COMMAND --help`, `g500 run --help-all` for " +
	"experts, and the\nmanual pages print the same help.\n"

// docs/FLAGS.md lists every flag of every command, with its help and default, and each setting of a configuration file
// with its flag.
func TestFlagsAreDocumented(t *testing.T) { expect.Golden(t, flagsFile, flagsText(t)) }

func flagsText(t *testing.T) string {
	return flagsHead + tested.FlagTables(t, func(c *cobra.Command, f *pflag.Flag) (setting string, has bool) {
		return settingOf(f), c.Name() == "run"
	})
}

// settingOf returns the keys of the settings that a flag of "g500 run" overrides, "" if it overrides none.
func settingOf(f *pflag.Flag) string {
	var keys []string
	for _, s := range settings.Table {
		if s.Flag == f.Name || s.Within != "" && settings.Of(s.Within).Flag == f.Name {
			keys = append(keys, strings.Replace(s.Key, "policy", "policy.KEY", 1))
		}
	}
	return strings.Join(keys, "`, `")
}

// A row of the table is all that a new setting needs: a flag with help, values that are checked and that the shell
// offers, engines, documents, and the agreement of ranks. This one has the place of machine.emulate_nodes.
func TestNewSettingNeedsOnlyARow(t *testing.T) {
	was := settings.Table
	t.Cleanup(func() { settings.Table = was })
	settings.Table = append(slices.Clone(was), settings.Row("search.toys", 0, settings.Setting{
		Field: func(c *settings.Config) any { return &c.Machine.EmulateNodes },
		Help:  "search with this many toys: {values}", Values: []string{"0", "2"}, Engines: []string{"gpu"}, Official: true,
	}))
	const row = "| `--toys` | `0` | search with this many toys: 0 or 2; 0 for a submission | `search.toys` |\n"
	expect.Contains(t, flagsText(t), row)
	expect.Equal(t, completions(t, "run", "--toys", ""), []string{"0", "2"}, "the shell offers")
	expect.Contains(t, mustCall(t, "run", "--toys", "2", "--print-config"), "emulate_nodes = 2")
	for args, want := range map[string]string{
		"--toys 3": "search.toys = 3: it must be 0 or 2", "--toy 2": "did you mean --toys?",
		"--toys 2 --ranks 2 --engine cpu": "--toys=2 is for engine gpu, and this run has engine cpu",
	} {
		status, _, errOut := call(append(strings.Fields("run --scale 4"), strings.Fields(args)...)...)
		if status != misuse || !strings.Contains(errOut, want) {
			t.Errorf("%s: status %d, %s", args, status, errOut)
		}
	}
	if all := declaredSettings(settings.Default()); all[len(all)-1].Name != "search.toys" {
		t.Errorf("ranks agree on %v", all)
	}
}
