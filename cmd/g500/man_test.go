package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"g500/graph/formats"
	"g500/policy"
	"g500/settings"
)

func TestManualPages(t *testing.T) { tested.HasManualPages(t) }

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
