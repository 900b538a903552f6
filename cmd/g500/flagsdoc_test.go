package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/settings"
)

const flagsFile = "../../docs/FLAGS.md"

const flagsHead = "# Flags\n\nGenerated from the program by `make golden`. Flags of `g500 run` override the TOML " +
	"file that `--config` names; the file overrides the\ndefaults. `g500 COMMAND --help` and the manual pages print " +
	"the same help.\n"

// longestHelp is the maximal length of the help of a flag.
const longestHelp = 80

// docs/FLAGS.md lists every flag of every command, with its help and default, and each setting of a configuration file
// with its flag.
func TestFlagsAreDocumented(t *testing.T) {
	old, err := os.ReadFile(flagsFile)
	if text := flagsText(t); *update {
		err = os.WriteFile(flagsFile, []byte(text), 0o644)
	} else if err == nil && string(old) != text {
		t.Errorf("%s is not what the program prints: make golden writes it", flagsFile)
	}
	if err != nil {
		t.Error(err)
	}
}

func flagsText(t *testing.T) string {
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
				cells = append(cells, code(settingOf(f)))
			}
			rows += "| " + strings.Join(cells, " | ") + " |\n"
		})
		if rows != "" {
			text += "\n## " + c.CommandPath() + "\n\n" + flagsTable(c) + rows
		}
	}
	return text
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

// settingOf returns the key of the setting that a flag of "g500 run" overrides, "" if it overrides none.
func settingOf(f *pflag.Flag) string {
	return strings.Replace(settings.OfFlag(f.Name).Key, "policy", "policy.KEY", 1)
}

// A row of the table is all that a new setting needs: a flag with help, values that are checked and that the shell
// offers, engines, documents, and the agreement of ranks. This one has the place of machine.emulate_nodes.
func TestNewSettingNeedsOnlyARow(t *testing.T) {
	was := settings.Table
	t.Cleanup(func() { settings.Table = was })
	settings.Table = append(slices.Clone(was), settings.Row("search.toys",
		func(c *settings.Config) *int { return &c.Machine.EmulateNodes }, 0, settings.Setting{
			Help: "search with this many toys: {values}", Values: []string{"0", "2"}, Engines: []string{"gpu"}, Official: true,
		}))
	const row = "| `--toys` | `0` | search with this many toys: 0 or 2; 0 for a submission | `search.toys` |\n"
	if !strings.Contains(flagsText(t), row) {
		t.Errorf("FLAGS.md would not have %s", row)
	}
	if offered := completions(t, "run", "--toys", ""); !slices.Equal(offered, []string{"0", "2"}) {
		t.Errorf("the shell offers %q", offered)
	}
	if out := mustCall(t, "run", "--toys", "2", "--print-config"); !strings.Contains(out, "emulate_nodes = 2") {
		t.Errorf("the flag sets nothing:\n%s", out)
	}
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
