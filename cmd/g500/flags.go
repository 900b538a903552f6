package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"g500/policy"
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
