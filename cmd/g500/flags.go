package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"g500/policy"
	"g500/settings"
)

// policyValue is the repeatable flag --policy KEY=VALUE,KEY=VALUE.
type policyValue struct {
	policy *policy.Policy
	given  *[]string
}

func (v policyValue) String() string { return strings.Join(*v.given, ",") }

func (v policyValue) Type() string { return "KEY=VALUE" }

// Set changes no number of the policy if one of the settings is wrong.
func (v policyValue) Set(text string) error {
	changed := *v.policy
	settings := strings.Split(text, ",")
	for i, setting := range settings {
		key, number, ok := strings.Cut(setting, "=")
		value, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if !ok || err != nil {
			return fmt.Errorf("a key and a whole number are needed, as in alpha=30")
		}
		key = strings.TrimSpace(key)
		if err := changed.Set(key, value); err != nil {
			return err
		}
		settings[i] = fmt.Sprintf("%s=%d", key, value)
	}
	*v.policy = changed
	*v.given = append(*v.given, settings...)
	return nil
}

// partValue is a flag that sets a setting and the setting within it.
type partValue struct {
	form  string // of the value
	bare  string // the value of a flag without one, "" if it needs one
	given *string
	set   func(text string) error
}

func (v partValue) String() string { return *v.given }

func (v partValue) Type() string { return v.form }

func (v partValue) Set(text string) error {
	*v.given = text
	return v.set(text)
}

// withPart returns the flag of the setting with that key that also sets the one within it; set is nil for others.
func withPart(key string, cfg *settings.Config) partValue {
	g, s, text := &cfg.Graph, &cfg.Search, new(string)
	switch key {
	case "graph.edges":
		return partValue{"FILE[,format=WORD]", "", text, func(text string) error {
			g.Edges = text
			if i := strings.LastIndex(text, ",format="); i >= 0 {
				g.Edges, g.Format = text[:i], text[i+len(",format="):]
			}
			return nil
		}}
	case "search.power":
		*text = "false"
		return partValue{"TIME", "true", text, func(text string) error {
			d, err := time.ParseDuration(text)
			if s.Power = text != "false"; text == "true" || text == "false" {
				return nil
			}
			if s.PowerSeconds = int(d / time.Second); err != nil || d <= 0 || d%time.Second != 0 {
				return errors.New("whole seconds are needed, as in --power=10s")
			}
			return nil
		}}
	}
	return partValue{}
}

// over sets *bound, to which flags are bound, to base, and sets the flags of the command line again, which override it.
func over[T any](f *pflag.FlagSet, bound *T, base T) error {
	given := map[string]string{}
	f.Visit(func(flag *pflag.Flag) { given[flag.Name] = flag.Value.String() })
	*bound = base
	for name, value := range given {
		if err := f.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}
