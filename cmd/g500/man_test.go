package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/graph/formats"
	"g500/policy"
	"g500/settings"
)

// Each command has a manual page with all its flags.
func TestManualPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man")
	mustCall(t, "man", "--dir", dir)
	for _, c := range commandsOf(rootCommand()) {
		page := strings.ReplaceAll(read(t, filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")), `\-`, "-")
		if !strings.HasPrefix(page, ".nh\n.TH \"G500\" \"1\"") || strings.Contains(page, "Auto generated") {
			t.Errorf("the page of %s begins %.80q", c.CommandPath(), page)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if has := strings.Contains(page, "--"+f.Name); has == f.Hidden {
				t.Errorf("the page of %s has --%s: %v", c.CommandPath(), f.Name, has)
			}
		})
	}
	if text := read(t, filepath.Join(dir, "g500.1")); !strings.Contains(text, "exit status is 0") {
		t.Errorf("g500.1 does not have the exit statuses:\n%s", text)
	}
}

// commandsOf returns all commands below a command.
func commandsOf(c *cobra.Command) (all []*cobra.Command) {
	for _, sub := range c.Commands() {
		all = append(append(all, sub), commandsOf(sub)...)
	}
	return all
}

// completions returns the words that the shell offers after args.
func completions(t *testing.T, args ...string) (words []string) {
	t.Helper()
	out := mustCall(t, append([]string{cobra.ShellCompRequestCmd}, args...)...)
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		if word, _, _ := strings.Cut(line, "\t"); !strings.HasPrefix(word, ":") {
			words = append(words, word)
		}
	}
	return words
}

// If a setting has a list of values, the shell offers exactly these.
func TestCompletionOffersTheValuesOfSettings(t *testing.T) {
	for _, s := range settings.Table {
		if offered := completions(t, "run", "--"+s.Flag, ""); s.Values != nil && !slices.Equal(offered, s.Values) {
			t.Errorf("--%s: the shell offers %q", s.Flag, offered)
		}
	}
}

func TestCompletionOfNames(t *testing.T) {
	for args, want := range map[string]struct {
		n    int
		word string
	}{
		"run --config": {len(presets()), "tiny"}, "run --policy": {len(policy.Keys()), "few_edges="},
		"graph info": {len(formats.Kinds()), "kron:"}, "graph convert": {len(formats.Kinds()), "kron:"},
	} {
		offered := completions(t, append(strings.Fields(args), "")...)
		if len(offered) != want.n || !slices.Contains(offered, want.word) {
			t.Errorf("%s: %q", args, offered)
		}
	}
}

func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if status, out, errOut := call("completion", shell); status != success || !strings.Contains(out, "g500") {
			t.Errorf("%s: status %d: %s", shell, status, errOut)
		}
	}
}
