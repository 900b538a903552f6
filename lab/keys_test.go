// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"testing"

	"g500/internal/expect"
)

// All settings of the table are possible, and errors name the possible values.
func TestKeysAreChecked(t *testing.T) {
	for _, s := range Table() {
		for _, setting := range s.Settings {
			expect.NoError(t, s.check(setting.Key, setting.Value))
		}
	}
	for list, want := range map[string]string{
		"merrill-hybrid:cul=none":      `no key "cul": choose one of shape, gather`,
		"merrill-hybrid:cull=all":      "choose none, warp, history, both",
		"merrill-hybrid:cull=":         "choose none",
		"merrill-hybrid:drop_degree=2": "choose a number from 0 to 1",
		"merrill-hybrid:tiles=-1":      "choose a number from 1",
		"merrill-hybrid:history=100":   "choose a power of two from 32 to 4096",
		"cpu:cull=none":                `no key "cull": choose one of engine, output, count`,
		"merrill-hybrid:count=kept":    `no key "count"`,
	} {
		expect.Error(t, expect.Err(Choose(list)), want, list)
	}
	if kept, err := Choose("cpu:count=kept"); err != nil || kept[0].BeforeClock() == "" {
		t.Errorf("%+v, %v", kept, err)
	}
}
