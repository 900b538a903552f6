// SPDX-License-Identifier: Apache-2.0

package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"g500/cmd/cli"
)

// Each stage of Containerfile is made from an image or an earlier stage, for each value of CUDA, and copies only from
// these. Its Go is not older than the Go of go.mod. (scripts/test-packaging.sh runs its make.)
func TestStagesOfContainerfile(t *testing.T) {
	text := read(t, "../../Containerfile")
	for _, cuda := range []string{"0", "1"} {
		var stages []string
		for _, line := range strings.Split(strings.ReplaceAll(text, "${CUDA}", cuda), "\n") {
			if m := regexp.MustCompile(`^FROM (\S+) AS (\S+)$`).FindStringSubmatch(line); m != nil {
				if !strings.Contains(m[1], "/") && !slices.Contains(stages, m[1]) {
					t.Errorf("CUDA=%s: stage %s is made from %s, which is none", cuda, m[2], m[1])
				}
				stages = append(stages, m[2])
			} else if strings.HasPrefix(line, "FROM ") {
				t.Errorf("a stage without a name: %s", line)
			}
			if m := regexp.MustCompile(`--from=(\S+)`).FindStringSubmatch(line); m != nil && !slices.Contains(stages, m[1]) {
				t.Errorf("CUDA=%s: nothing can be copied from %s", cuda, m[1])
			}
		}
		if len(stages) == 0 || stages[len(stages)-1] != "run" {
			t.Errorf("the stages are %q", stages)
		}
	}
	image := regexp.MustCompile(`golang:1\.(\d+)`).FindStringSubmatch(text)
	module := regexp.MustCompile(`(?m)^go 1\.(\d+)`).FindStringSubmatch(read(t, "../../go.mod"))
	if image == nil || module == nil || image[1] < module[1] {
		t.Errorf("Go of the image: %q, of go.mod: %q", image, module)
	}
}

// CHANGELOG has the format of keepachangelog.com: the version of this program with its date, newer versions first.
func TestChangelogKnowsThisVersion(t *testing.T) {
	text := read(t, "../../CHANGELOG.md")
	if !regexp.MustCompile(`(?m)^## \[` + regexp.QuoteMeta(cli.Version) + `\] - \d{4}-\d\d-\d\d$`).MatchString(text) {
		t.Errorf("no dated section for version %s", cli.Version)
	}
	var dates []string
	kinds := []string{"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
	for _, line := range strings.Split(text, "\n") {
		if kind, ok := strings.CutPrefix(line, "### "); ok && !slices.Contains(kinds, kind) {
			t.Errorf("%q is no kind of change: %q", kind, kinds)
		}
		if name, ok := strings.CutPrefix(line, "## "); ok && name != "[Unreleased]" {
			_, date, dated := strings.Cut(name, "] - ")
			if !dated || len(dates) > 0 && date > dates[len(dates)-1] {
				t.Errorf("section %q has no date, or stands below an older one", name)
			}
			dates = append(dates, date)
		}
	}
}
