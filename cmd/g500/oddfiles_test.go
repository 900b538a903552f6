// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"g500/cmd/cli/clitest"
	"g500/internal/expect"
	"g500/internal/infile"
)

// Every command that reads a small file names a file of another kind in one sentence.
func TestOddFilesAreNamed(t *testing.T) {
	tested.NamesOddFiles(t, `run --config DIR/x
run --scale 3 --edges DIR/x
run --scale 3 --roots DIR/x
scale DIR/x
validate --scale 3 --root 1 --tree DIR/x
validate --scale 3 --root 1 --tree DIR/x --edges DIR/x
report DIR => run.json
report DIR --csv => run.json
compare DIR DIR => run.json
submission DIR => run.json
run --resume DIR => run.json`)
}

// The files of a run in addition to run.json, and files next to it, do not stop a command either.
func TestOddFilesOfARun(t *testing.T) {
	for name, args := range map[string][]string{
		"searches.jsonl": {"run", "--resume"}, "searches.csv": {"run", "--resume"}, "official.txt": {"run", "--resume"},
		"study.toml": {"report"}, "report": {"report"},
	} {
		for kind, create := range clitest.OddFiles {
			if name == "report" && kind == "a directory" {
				continue // an empty folder is the folder of the report
			}
			dir := filepath.Join(t.TempDir(), "run")
			mustCall(t, "run", "--scale", "4", "--keys", "2", "--quiet", "--output", dir)
			path := filepath.Join(dir, name)
			_ = os.Remove(path)
			if err := create(path); err != nil {
				t.Skip(err)
			}
			_, out, errOut := call(append(args, dir)...)
			expect.That(t, infile.IsClean(strings.ReplaceAll(out+errOut, "\n", "")) && !clitest.WordsOfGo.MatchString(errOut),
				"%s, %q: %q %q", name, kind, out, errOut)
			expect.That(t, name != "study.toml" || strings.Contains(errOut, "study.toml was left out"),
				"%s, %q: %q", name, kind, errOut)
		}
	}
}

// payloads are texts that a terminal, a spreadsheet or a reader of Markdown would obey.
var payloads = []string{"\x1b]0;pwn\a\x1b[31mred", "\u009b31m\u202egpj", "=cmd|'/c calc'!A1", "@SUM(1)", "+1+1", "-1+1",
	"[a](javascript:alert(1))", "\ttab", "line\nend", `<script>alert("x")</script>`}

// Texts of a foreign run reach no terminal and no file as commands. The folder's name has a character of patterns, too.
func TestTextsOfForeignRunsAreNotObeyed(t *testing.T) {
	all := filepath.Join(t.TempDir(), "r\x1b[1m")
	dir := filepath.Join(all, "\x1b[2m")
	mustCall(t, "run", "--scale", "4", "--keys", "2", "--quiet", "--output", dir)
	whole := read(t, filepath.Join(dir, "run.json"))
	for _, payload := range payloads {
		var run map[string]any
		expect.NoError(t, json.Unmarshal([]byte(whole), &run))
		environment := run["environment"].(map[string]any)
		for key, value := range environment {
			if _, is := value.(string); is && key != "transport" {
				environment[key] = payload
			}
		}
		environment["machines"].([]any)[0].(map[string]any)["cpu"] = payload
		run["notes"] = []string{payload}
		for _, format := range []any{run["format"], payload} {
			run["format"] = format
			expect.Write(t, filepath.Join(dir, "run.json"), expect.Value(json.Marshal(run))(t))
			for _, args := range [][]string{{"report", all}, {"report", all, "--csv"}, {"compare", all, all},
				{"compare", all, all, "--csv"}, {"compare", all, all, "--json"}, {"submission", dir},
				{"run", "--resume", dir}} {
				_, out, errOut := call(args...)
				expect.That(t, infile.IsClean(strings.ReplaceAll(out+errOut, "\n", "")),
					"%q, %q: %q %q", args, payload, out, errOut)
			}
			files := checkWritten(t, filepath.Join(all, "report"), payload)
			expect.That(t, (files == 0) != (format != payload), "%q: %d files of reports", payload, files)
			expect.NoError(t, errors.Join(os.RemoveAll(filepath.Join(all, "report")),
				os.RemoveAll(filepath.Join(dir, "submission"))))
		}
	}
}

// program matches the script of a page, whose library has control characters.
var program = regexp.MustCompile(`(?s)<script>.*?</script>`)

// checkWritten counts the files of a report, and checks that they have no control characters, formulas, links and
// scripts.
func checkWritten(t *testing.T, dir, payload string) (files int) {
	t.Helper()
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		file := filepath.Join(dir, entry.Name())
		whole := read(t, file)
		text := program.ReplaceAllString(whole, "")
		expect.Equal(t, string(infile.CleanOutput([]byte(text))), text, filepath.Base(file), "has control characters of",
			payload)
		expect.That(t, !strings.Contains(whole, "<script>alert") || filepath.Ext(file) == ".csv", "%s has a script",
			filepath.Base(file))
		switch filepath.Ext(file) {
		case ".csv":
			for _, row := range expect.Value(csv.NewReader(strings.NewReader(text)).ReadAll())(t) {
				for _, cell := range row {
					expect.That(t, cell == "" || cell != payload || !strings.Contains("=+-@", cell[:1]),
						"%s has the formula %q", filepath.Base(file), cell)
				}
			}
		case ".md":
			expect.That(t, !regexp.MustCompile(`[^\\]\[a\]\(javascript:`).MatchString(text),
				"%s has a link", filepath.Base(file))
		}
	}
	return len(entries)
}
