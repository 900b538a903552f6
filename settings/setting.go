// SPDX-License-Identifier: Apache-2.0

package settings

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"g500/internal/lists"
	"g500/internal/output"
	"g500/internal/tomlfile"
	"g500/policy"
)

// Setting is a row of the table. A member that is empty does not apply.
type Setting struct {
	Key    string // in files and in run.json, as table.name
	Flag   string // of g500 run, without dashes; by default the name with dashes
	Short  string // one letter for the flag, "" for none
	Group  string // of the flag in the help of g500 run, one of Groups
	Within string // key of the setting whose flag of g500 run also sets this one; "" for a flag of its own
	Help   string // of the flag, imperative: {values} and {engines} stand for these lists,
	// {within} for the values or the default of the setting Within this one
	Values   []string // of a choice
	Min, Max int64    // of a number, or of a duration in nanoseconds; no limits if both are 0
	Engines  []string // that have the setting, nil for all
	MayIdle  bool     // a file may have it for other engines, which ignore it
	Needs    string   // key of the setting without which this one has no effect
	Unless   string   // key of the setting with which this one has no effect
	PerRank  bool     // ranks may have different values
	Variant  bool     // it affects speed: runs with different values are not in one point
	Official bool     // a submission has the default
	Note     string   // in the record of a run with another value than the default, {value}

	Default string               // as text; Row sets it and the functions
	Field   func(*Config) any    // returns a pointer to the value
	Text    func(*Config) string // formats the value
	reset   func(*Config)        // sets the default
}

// The groups of flags in the help of g500 run.
const (
	Basic    = "Basic flags"
	OfGraph  = "Graph"
	OfRules  = "Rules of a submission"
	OfOutput = "Output"
	Experts  = "For experts"
)

// Groups are the groups of flags in the order of the help, which leaves out the last one without --help-all.
var Groups = []string{Basic, OfGraph, OfRules, OfOutput, Experts}

// Row returns a setting with its key and its default. Its names lead to the value in a Config, unless Field is set.
func Row(key string, usual any, s Setting) Setting {
	s.Key = key
	if s.Flag == "" {
		s.Flag = s.Name()
	}
	if s.Field == nil {
		s.Field = func(c *Config) any { return member(reflect.ValueOf(c).Elem(), key).Addr().Interface() }
	}
	value := func(c *Config) reflect.Value { return reflect.ValueOf(s.Field(c)).Elem() }
	standard := reflect.ValueOf(usual).Convert(value(new(Config)).Type())
	s.Text = func(c *Config) string { return fmt.Sprint(value(c).Interface()) }
	s.reset = func(c *Config) { value(c).Set(standard) }
	s.Default = fmt.Sprint(standard.Interface())
	return s
}

// member returns the member of a struct that files name table.name.
func member(v reflect.Value, key string) reflect.Value {
	for name := range strings.SplitSeq(key, ".") {
		field, _ := tomlfile.Field(v.Type(), name)
		v = v.FieldByIndex(field.Index)
	}
	return v
}

// IsDefault reports whether the value is the default.
func (s Setting) IsDefault(c *Config) bool { return s.Text(c) == s.Default }

// Of returns the setting with that key, which must exist.
func Of(key string) Setting { return *lists.Find(Table, func(s Setting) bool { return s.Key == key }) }

// Table returns the name of the setting's table in files.
func (s Setting) Table() string {
	table, _, _ := strings.Cut(s.Key, ".")
	return table
}

// Name returns the setting's name in its table, with dashes, as in edge-memory.
func (s Setting) Name() string {
	return strings.ReplaceAll(s.Key[strings.Index(s.Key, ".")+1:], "_", "-")
}

// Usage returns the help of the flag and the description in documents: with values, engines and a submission's value.
func (s Setting) Usage() string {
	values, engines := output.List(s.Values, "or"), output.List(s.Engines, "and")
	text := strings.NewReplacer("{values}", values, "{engines}", engines, "{within}", s.within()).Replace(s.Help)
	if s.Official && !slices.Contains([]string{"", "0s", "false"}, s.Default) {
		text += "; " + s.Default + " for a submission"
	}
	return text
}

// within returns the values of the setting Within this one, or its default; "" if there is none.
func (s Setting) within() string {
	part := cmp.Or(lists.Find(Table, func(part Setting) bool { return part.Within == s.Key }), &Setting{})
	return cmp.Or(output.List(part.Values, "or"), part.Default)
}

// Has reports whether an engine has the setting.
func (s Setting) Has(engine string) bool {
	return s.Engines == nil || slices.Contains(s.Engines, engine)
}

// Idle returns the other flag by which the setting has no effect, as in "without --power"; "" if it has one.
func (s Setting) Idle(c *Config) string {
	if s.Needs != "" && Of(s.Needs).IsDefault(c) {
		return "without --" + Of(s.Needs).Flag
	}
	if s.Unless != "" && !Of(s.Unless).IsDefault(c) {
		return "with --" + Of(s.Unless).Flag
	}
	return ""
}

// Remark returns the note on a value that is not the default and has an effect, "" for none.
func (s Setting) Remark(c *Config) string {
	if s.IsDefault(c) || s.Idle(c) != "" {
		return ""
	}
	return strings.ReplaceAll(s.Note, "{value}", s.Text(c))
}

// Unofficial returns how the value differs from the one of submissions, "" if it does not.
func (s Setting) Unofficial(c *Config) string {
	if !s.Official || s.IsDefault(c) {
		return ""
	}
	return cmp.Or(s.Remark(c), fmt.Sprintf("%s is %s, and %s in a submission", s.Key, s.Text(c), s.Default))
}

// RangeError reports a setting that is out of range.
type RangeError struct {
	Key   string // as in the file: table.name
	Value string
	Want  string // the values that it can have
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s = %s: it must be %s", e.Key, e.Value, e.Want)
}

// check returns a *RangeError if the value is out of range.
func (s Setting) check(c *Config) error {
	text, number := s.Text(c), int64(0)
	limit := func(n int64) string { return strconv.FormatInt(n, 10) }
	switch value := s.Field(c).(type) {
	case *string:
		text = strconv.Quote(*value)
	case *int:
		number = int64(*value)
	case *int64:
		number = *value
	case *Duration:
		number, limit = int64(*value), func(n int64) string { return Duration(n).String() }
	case *policy.Policy:
		if key, text, want := value.Fault(); key != "" {
			return &RangeError{s.Key + "." + key, text, want}
		}
	}
	switch {
	case s.Values != nil && !s.IsDefault(c) && !slices.Contains(s.Values, s.Text(c)):
		return &RangeError{s.Key, text, output.List(s.Values, "or")}
	case s.Max > 0 && (number < s.Min || number > s.Max):
		return &RangeError{s.Key, text, fmt.Sprintf("from %s to %s", limit(s.Min), limit(s.Max))}
	}
	return nil
}
