// Command jobtest runs random jobs of g500 and checks how each of them ends: with VALID, or with one clear sentence and
// a failing exit status, within a time limit.
//
// A job is drawn from its number and the seed alone, so that -only NUMBER repeats one. It draws an input (a file of
// graph/formats/testdata/cases, a synthetic graph, an official graph, an edge file), and settings: kernel, engine,
// ranks, transport, pruning, keys, roots, stored results, a signal and a resumption. Results of jobs with the same
// graph and root must agree, whatever the engine and the number of ranks. One row per job goes into a CSV table.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// options are the command line of jobtest.
type options struct {
	program  string // path of g500
	mpirun   string // command that starts MPI ranks, "" for none
	cases    string // folder with graph files and answers.csv
	table    string // CSV file to write, "" for none
	jobs     int
	seed     uint64
	only     int // number of the single job to run, 0 for all
	parallel int
	limit    time.Duration // of one process
}

func main() {
	var o options
	flag.StringVar(&o.program, "program", "bin/g500", "the program to run")
	flag.StringVar(&o.mpirun, "mpirun", "", "command that starts MPI ranks, as \"mpirun --oversubscribe\"; none if empty")
	flag.StringVar(&o.cases, "cases", "graph/formats/testdata/cases", "folder with graph files and answers.csv")
	flag.StringVar(&o.table, "table", "", "CSV file for one row per job")
	flag.IntVar(&o.jobs, "jobs", 100, "number of jobs")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of all jobs")
	flag.IntVar(&o.only, "only", 0, "run this one job only, and print its output")
	flag.IntVar(&o.parallel, "parallel", 2, "jobs at a time")
	flag.DurationVar(&o.limit, "limit", time.Minute, "time limit of one process, a guard against hangs")
	flag.Parse()
	failed, err := runAll(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "jobtest:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// runAll runs the jobs, writes the table and returns the number of jobs that failed.
func runAll(o options) (failed int, err error) {
	files, err := readCases(o.cases)
	if err != nil {
		return 0, err
	}
	folder, err := os.MkdirTemp("", "jobtest-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	draw := drawer{seed: o.seed, cases: files, folder: folder, mpi: o.mpirun != ""}
	if o.only > 0 {
		return runOne(o, draw.job(o.only)), nil
	}
	results := runParallel(o, draw)
	for _, r := range results {
		if r.fault != "" {
			failed++
			fmt.Printf("job %d FAILED: %s\n  %s\n", r.job.number, r.fault, strings.Join(r.commands(o, folder), " && "))
		}
	}
	fmt.Println(summary(results, o))
	if o.table == "" {
		return failed, nil
	}
	return failed, writeTable(o, folder, results)
}

// runParallel runs all jobs, o.parallel at a time, and returns their results by number.
func runParallel(o options, draw drawer) []result {
	results := make([]result, o.jobs)
	numbers := make(chan int)
	var agreed agreement
	var workers sync.WaitGroup
	for range max(o.parallel, 1) {
		workers.Go(func() {
			for n := range numbers {
				results[n-1] = run(o, draw.job(n), &agreed)
			}
		})
	}
	for n := 1; n <= o.jobs; n++ {
		numbers <- n
	}
	close(numbers)
	workers.Wait()
	return results
}

// runOne runs a single job, prints all that its processes printed, and returns 1 if it failed.
func runOne(o options, j job) (failed int) {
	r := run(o, j, new(agreement))
	for _, e := range r.ends {
		fmt.Printf("$ %s\n%s%sexit status %d\n", strings.Join(e.command, " "), e.out, e.errOut, e.status)
	}
	if r.fault != "" {
		fmt.Println("FAILED:", r.fault)
		return 1
	}
	return 0
}

// summary counts the jobs by how they ended.
func summary(results []result, o options) string {
	count := map[string]int{}
	for _, r := range results {
		count[r.kind()]++
	}
	return fmt.Sprintf("%d random jobs of seed %d: %d VALID, %d refused or invalid with one sentence, %d FAILED",
		len(results), o.seed, count[endedValid], count[endedRefused], count[endedFailed])
}
