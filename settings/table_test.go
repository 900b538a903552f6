// SPDX-License-Identifier: Apache-2.0

package settings_test

import (
	"slices"
	"strings"
	"testing"

	"g500/internal/expect"
	"g500/internal/tomlfile"
	"g500/settings"
	"g500/settings/settingstest"
)

// Each member of a Config has a row with its key.
func TestTableDescribesTheConfiguration(t *testing.T) {
	c := settings.Default()
	for key := range tomlfile.Examples(&c) {
		if strings.HasPrefix(key, "policy.") {
			key = "policy"
		}
		expect.That(t, slices.ContainsFunc(settings.Table, func(s settings.Setting) bool { return s.Key == key }),
			"%s has no row", key)
	}
}

// Each setting has a case. A file sets it, and an error for a value that it cannot have names the line and the values.
// Settings that need, or exclude, it exist.
func TestEachSettingIsReadAndChecked(t *testing.T) {
	for _, s := range settings.Table {
		c := settingstest.Changed(t, s, settings.Default())
		expect.That(t, s.Text(&c) != s.Default, "%s has the default %s", s.Key, s.Default)
		of := settingstest.Cases[s.Key]
		_, err := settings.Parse("run.toml", settingstest.File(s, of.Wrong))
		want := "run.toml:2: " + s.Key
		expect.That(t, err != nil && strings.HasPrefix(err.Error(), want) &&
			strings.Contains(err.Error(), " must be "+of.Want), "%s: %v, want %s: it must be %s", of.Wrong, err, want, of.Want)
		for _, key := range []string{s.Needs, s.Unless} {
			expect.That(t, key == "" || settings.Of(key).Flag != "", "%s: %s has no flag", s.Key, key)
		}
	}
	expect.Equal(t, len(settingstest.Cases), len(settings.Table), "cases of", "settings")
}

// A setting has no effect without, or with, another one; then its note is left out.
func TestIdleSettings(t *testing.T) {
	for _, s := range settings.Table {
		c := settingstest.Changed(t, s, settings.Default())
		expect.Equal(t, s.Remark(&c), strings.ReplaceAll(s.Note, "{value}", s.Text(&c)), s.Key, "remark")
		idle := s.Idle(&c)
		expect.That(t, (idle != "") == (s.Needs != ""), "%s alone has no effect %q", s.Key, idle)
	}
	c := settings.Default()
	c.Graph.Seeds, c.Graph.Spec = settings.Seeds{3, 4}, "road:9x9"
	s := settings.Of("graph.seeds")
	expect.Equal(t, []string{s.Idle(&c), s.Remark(&c)}, []string{"with --graph", ""}, "seeds beside a spec")
}
