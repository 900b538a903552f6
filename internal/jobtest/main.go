// SPDX-License-Identifier: Apache-2.0

// Command jobtest runs random jobs of g500 and checks how each ends: within a time limit, with VALID or with one error
// sentence and a failing exit status.
//
// The seed and its number determine a job, so that -only NUMBER repeats it. A job has a random input (a file of
// graph/formats/testdata/cases, a synthetic graph, an official graph, or an edge file) and random settings: kernel,
// engine, ranks, transport, pruning, keys, roots, stored results, a signal with a resumption. Jobs with the same graph
// and root must find the same component, whatever their engines and numbers of ranks.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"g500/internal/lists"
)

var (
	program = flag.String("program", "bin/g500", "the program to run")
	mpirun  = flag.String("mpirun", "", "command that starts MPI ranks, as \"mpirun --oversubscribe\"; none if empty")
	jobs    = flag.Int("jobs", 100, "number of jobs")
	seed    = flag.Uint64("seed", 1, "seed of all jobs")
	only    = flag.Int("only", 0, "run only the job with this number, and print its output")
	folder  string // of the jobs' files
)

// result is how a job ended.
type result struct {
	job
	end             // of its last process
	commands string // of all processes, for a shell
	fault    string // the first rule that the job broke, "" for none
}

// end is how a process ended.
type end struct {
	out, errOut string
	status      int  // -1 if a signal ended it
	hung        bool // it reached the time limit
}

func main() {
	flag.Parse()
	folder = must(os.MkdirTemp("", "jobtest-"))
	cases, first := readCases("graph/formats/testdata/cases"), 1
	if *only > 0 {
		first, *jobs = *only, 1
	}
	results := make([]*result, *jobs)
	var workers sync.WaitGroup
	for worker := range 2 {
		workers.Go(func() {
			for i := worker; i < *jobs; i += 2 {
				results[i] = run(drawJob(cases, first+i))
			}
		})
	}
	workers.Wait()
	found, count := agreement{}, map[string]int{}
	for _, r := range results {
		kind := "refused"
		if r.fault == "" && r.status == 0 {
			kind, r.fault = "VALID", found.check(r.job, r.out)
		}
		if r.fault != "" {
			kind = "FAILED"
			fmt.Printf("job %d FAILED: %s\n  %s\n", r.number, r.fault, r.commands)
		}
		count[kind]++
	}
	os.RemoveAll(folder)
	fmt.Printf("%d random jobs of seed %d: %d VALID, %d refused or invalid with one sentence, %d FAILED\n",
		len(results), *seed, count["VALID"], count["refused"], count["FAILED"])
	os.Exit(min(count["FAILED"], 1))
}

// must ends the program if err is not nil, and returns value otherwise.
func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// run runs a job and checks its end.
func run(j job) *result {
	r := &result{job: j}
	if j.prepare != nil && r.start(append([]string{*program}, j.prepare...)) != 0 {
		r.fault = "the input could not be written: " + r.errOut
		return r
	}
	command := []string{*program, "run"}
	if j.tasks {
		command = slices.Concat(strings.Fields(*mpirun), []string{"-n", fmt.Sprint(j.ranks)}, command)
	}
	r.start(slices.Concat(command, j.args))
	if j.stop != nil { // a run with a signal may have any status
		if r.fault = unclean(r.end); r.fault != "" || r.status == 0 {
			return r
		}
		command = append(command, "--resume", j.dir)
		if j.json {
			command = append(command, "--json")
		}
		r.stop, r.want = nil, mayFail // because the first run may have stored nothing
		r.start(command)
	}
	r.fault = check(r.job, r.end)
	return r
}

// start runs one process of a job, with its input and signal, until it ends or reaches the time limit. It returns the
// exit status.
func (r *result) start(command []string) int {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var out, errOut bytes.Buffer
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Stdout, c.Stderr = &out, &errOut
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) } // so that a launcher ends its ranks
	c.WaitDelay = 10 * time.Second
	line := strings.Join(command, " ") // no argument needs quotes
	if r.stdin != "" {
		c.Stdin, line = bytes.NewReader(must(os.ReadFile(r.stdin))), "cat "+r.stdin+" | "+line
	}
	must(0, c.Start())
	if r.stop != nil {
		defer time.AfterFunc(r.stopAt, func() { c.Process.Signal(r.stop) }).Stop()
	}
	c.Wait()
	r.commands = strings.TrimPrefix(r.commands+" && "+line, " && ")
	r.end = end{out.String(), errOut.String(), c.ProcessState.ExitCode(), ctx.Err() != nil}
	if *only > 0 {
		fmt.Printf("$ %s\n%s%sexit status %d\n", line, r.out, r.errOut, r.status)
	}
	return r.status
}

var (
	// crash matches the output of a program that crashed.
	crash = regexp.MustCompile(`panic:|goroutine \d+|fatal error:|SIGSEGV|Segmentation fault|%!|runtime error`)
	// harmless matches the reasons of INVALID runs that do not mean an error of the program.
	harmless = regexp.MustCompile(`no search key|no vertex has an edge|^INVALID: incomplete|^INCOMPLETE|not validated`)
	sentence = regexp.MustCompile(`(?m)^g500: .*\S`)
)

// check returns the first rule that an end breaks, "" if it breaks none.
func check(j job, e end) string {
	last, errors := verdict(j, e.out), sentences(e)
	success, valid, message := e.status == 0, last == "VALID", append(errors, last)[0]
	for _, rule := range []struct {
		fault  string
		broken bool
	}{
		{unclean(e), unclean(e) != ""},
		{"a signal ended it", e.status < 0},
		{fmt.Sprintf("exit status %d, and the last line is %q", e.status, last), success != valid},
		{"exit status 0 with an error: " + message, success && len(errors) > 0},
		{fmt.Sprintf("%d sentences, not one: %s", len(errors), strings.Join(errors, " | ")), len(errors) > 1},
		{fmt.Sprintf("exit status %d without a sentence", e.status), message == ""},
		{"a wrong result: " + last, len(errors) == 0 && !valid && !harmless.MatchString(last)},
		{"it must be VALID: " + message, j.want == mustBeValid && !success},
		{"it must be refused", j.want == mustFail && success},
		{"it must be INVALID because the results were not validated: " + message,
			j.want == notChecked && !strings.Contains(last, "not validated")},
	} {
		if rule.broken {
			return rule.fault
		}
	}
	return ""
}

// unclean finds a hang, a crash, or output that is not text.
func unclean(e end) string {
	text := e.out + e.errOut
	if e.hung {
		return "it did not end within the time limit"
	}
	if found := crash.FindString(text); found != "" {
		return fmt.Sprintf("its output has %q", found)
	}
	if strings.Count(e.errOut, `\x`) > 4 {
		return "it prints binary bytes, escaped"
	}
	if i := strings.IndexFunc(text, func(r rune) bool {
		return r == unicode.ReplacementChar || !unicode.IsPrint(r) && !strings.ContainsRune("\n\t\r", r)
	}); i >= 0 {
		return fmt.Sprintf("its output has a byte that is not text, after %q", text[max(0, i-40):i])
	}
	return ""
}

// sentences returns the distinct errors on standard error: every MPI rank reports a wrong command line.
func sentences(e end) []string { return lists.Distinct(sentence.FindAllString(e.errOut, -1)) }

// storedRun has the fields of a run's JSON that jobtest reads. They are declared again, to notice a renamed field.
type storedRun struct {
	Status, Reason string
	Graph          struct{ Vertices, Edges int64 }
	Kernels        []struct{ Searches []search }
}

// search is a search of either kernel, and the number of its job.
type search struct {
	Root, Edges int64
	Reached     int64 `json:"reached_vertices"`
	job         int
}

// verdict returns the last line of the output, or the status and the reason in JSON output.
func verdict(j job, out string) string {
	if !j.json || !strings.HasPrefix(out, "{") {
		text := strings.TrimSpace(out)
		return text[strings.LastIndex(text, "\n")+1:]
	}
	var run storedRun
	if err := json.Unmarshal([]byte(out), &run); err != nil {
		return "JSON that cannot be read: " + err.Error()
	}
	return strings.Trim(run.Status+": "+run.Reason, ": ")
}

// agreement has the first search from each root of each graph. All searches from a root must find the same component,
// whatever the kernel, the engine and the number of ranks.
type agreement map[string]search

// check compares the printed or stored results of a valid job with the known size of its graph and with the results of
// earlier jobs. It returns the first difference, "" if there is none or if there are no results.
func (a agreement) check(j job, out string) string {
	text := []byte(out)
	if !j.json && j.dir == "" {
		return ""
	} else if !j.json {
		text, _ = os.ReadFile(filepath.Join(j.dir, "run.json")) // no file is no JSON
	}
	var run storedRun
	if err := json.Unmarshal(text, &run); err != nil {
		return "the stored run cannot be read: " + err.Error()
	}
	searched := false
	for _, kernel := range run.Kernels {
		for _, s := range kernel.Searches {
			key := fmt.Sprintf("%s root %d", j.name, s.Root)
			if _, known := a[key]; !known {
				s.job = j.number
				a[key] = s
			}
			first := a[key]
			if s.Reached < 2 || s.Edges < s.Reached-1 || first.Edges != s.Edges || first.Reached != s.Reached {
				return fmt.Sprintf("%s: %d vertices over %d edges; job %d found %d over %d", key, s.Reached, s.Edges,
					first.job, first.Reached, first.Edges)
			}
			searched = true
		}
	}
	if !searched {
		return "the stored run is VALID and has no search"
	}
	if g := run.Graph; j.vertices >= 0 && g.Vertices != j.vertices || j.edges >= 0 && g.Edges != j.edges {
		return fmt.Sprintf("the graph has %d vertices and %d edges, and must have %d and %d (-1: any number)",
			g.Vertices, g.Edges, j.vertices, j.edges)
	}
	return ""
}
