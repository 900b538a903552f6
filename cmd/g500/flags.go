// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"g500/policy"
	"g500/settings"
)

// textValue is a flag whose text sets several members of a configuration.
type textValue struct {
	form  string  // of the text
	bare  string  // the text of a flag without one, "" if it needs one
	given *string // the text, of a repeated flag all texts
	set   func(text string) (given string, err error)
}

func (v textValue) String() string { return *v.given }

func (v textValue) Type() string { return v.form }

func (v textValue) Set(text string) error {
	given, err := v.set(text)
	if err == nil {
		*v.given = given
	}
	return err
}

// textFlag returns the flag of the setting with that key that sets several members; set is nil for other settings.
func textFlag(key string, cfg *settings.Config) textValue {
	g, s, given := &cfg.Graph, &cfg.Search, new(string)
	switch key {
	case "graph.edges":
		return textValue{"FILE[,format=WORD]", "", given, func(text string) (string, error) {
			g.Edges = text
			if i := strings.LastIndex(text, ",format="); i >= 0 {
				g.Edges, g.Format = text[:i], text[i+len(",format="):]
			}
			if g.Edges == "" {
				return "", errors.New("name the file before the format, as in --edges=FILE,format=u64")
			}
			return text, nil
		}}
	case "search.power":
		*given = "false"
		return textValue{"TIME", "true", given, func(text string) (string, error) {
			d, err := time.ParseDuration(text)
			if s.Power = text != "false"; text == "true" || text == "false" {
				return text, nil
			}
			if s.PowerSeconds = int(d / time.Second); err != nil || d <= 0 || d%time.Second != 0 {
				return "", errors.New("whole seconds are needed, as in --power=10s")
			}
			return text, nil
		}}
	case "policy":
		return textValue{"KEY=VALUE", "", given, func(text string) (string, error) {
			changed, err := withThresholds(cfg.Policy, text)
			if err == nil {
				cfg.Policy = changed
			}
			return strings.TrimPrefix(*given+","+text, ","), err
		}}
	}
	return textValue{}
}

// withThresholds returns a policy with the thresholds KEY=VALUE,KEY=VALUE.
func withThresholds(p policy.Policy, text string) (policy.Policy, error) {
	for setting := range strings.SplitSeq(text, ",") {
		key, number, ok := strings.Cut(setting, "=")
		value, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if !ok || err != nil {
			return p, errors.New("a key and a whole number are needed, as in alpha=30")
		}
		if err := p.Set(strings.TrimSpace(key), value); err != nil {
			return p, err
		}
	}
	return p, nil
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
