// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"g500/cmd/cli"
	"g500/comm"
	"g500/comm/agreement"
	"g500/internal/expect"
	"g500/record"
	"g500/settings"
	"g500/settings/settingstest"
)

// differ returns the error of two ranks with these declarations.
func differ(t *testing.T, first, second agreement.Declaration) error {
	t.Helper()
	errs := make([]error, 2)
	expect.NoError(t, comm.Loopback(2, func(tr comm.Transport) error {
		errs[tr.Rank()] = agreement.Check(tr, [2]agreement.Declaration{first, second}[tr.Rank()])
		return nil
	}))
	return errs[1]
}

// Every setting of a configuration is compared, except the ones that may differ between ranks.
func TestEachSettingIsCompared(t *testing.T) {
	first := (&job{cfg: settings.Default()}).declare()
	expect.NoError(t, differ(t, first, first))
	for _, s := range settings.Table {
		err := differ(t, first, (&job{cfg: settingstest.Changed(t, s, settings.Default())}).declare())
		if s.PerRank && err != nil || !s.PerRank && (err == nil || !strings.Contains(err.Error(), s.Key+" is ")) {
			t.Errorf("%s: %v", s.Key, err)
		}
	}
}

// Different versions of the program are refused, and different states of the run to resume.
func TestProgramsAndRunsToResumeAreCompared(t *testing.T) {
	cfg := settings.Default()
	at := func(searches int) agreement.Declaration {
		return (&job{cfg: cfg, earlier: &record.Run{
			Kernels: []record.KernelRun{{Searches: make([]record.Search, searches)}},
		}}).declare()
	}
	expect.Error(t, differ(t, at(3), at(2)), "one with 2 searches")
	was := cli.Version
	defer func() { cli.Version = was }()
	old := at(3)
	cli.Version = "0.1"
	expect.Error(t, differ(t, old, at(3)), "install the same program")
}
