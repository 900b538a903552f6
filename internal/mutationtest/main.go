// SPDX-License-Identifier: Apache-2.0

// Command mutationtest breaks rules of the program, one at a time, and checks that tests notice. The list of mutants is
// in tools/mutants; no product source has one. All are compiled at once behind switches (go build -overlay, and a copy
// of the emulator's sources), so that the tests of each package are built once. The environment variable MUT has the
// number of the mutant that is on.
//
// It prints one line per mutant and ends with a failing status if a mutant survived or its tests timed out, unless the
// list has a reason why no test can notice it.
package main

import (
	"flag"
	"fmt"
	"log"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

var only = flag.String("only", "", "numbers of the mutants to run, separated by commas; all if empty")

func main() {
	log.SetFlags(0)
	flag.Parse()
	if err := run(); err != nil {
		log.Fatal("mutants: ", err)
	}
}

// run builds and runs the chosen mutants. The error counts those that survived.
func run() error {
	all, err := read("tools/mutants")
	if err != nil {
		return err
	}
	texts, err := apply(".", all)
	if err != nil {
		return err
	}
	chosen, err := choose(all, *only)
	if err != nil {
		return err
	}
	if err := overlay(texts); err != nil {
		return err
	}
	if slices.ContainsFunc(chosen, mutant.isCUDA) {
		if err := emulate(texts); err != nil {
			return err
		}
	}
	suites, err := prepare(chosen)
	if err != nil {
		return err
	}
	if faults := tryAll(chosen, suites); faults > 0 {
		return fmt.Errorf("%d of %d: write a test that notices the mutant, or give the reason in tools/mutants why none can",
			faults, len(chosen))
	}
	return nil
}

// choose returns the mutants with these numbers, separated by commas; all if there are none.
func choose(all []mutant, numbers string) (chosen []mutant, err error) {
	if numbers == "" {
		return all, nil
	}
	for word := range strings.SplitSeq(numbers, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		at := slices.IndexFunc(all, func(m mutant) bool { return m.Number == n })
		if err != nil || at < 0 {
			return nil, fmt.Errorf("there is no mutant %q: give numbers of tools/mutants, such as 6,15", word)
		}
		chosen = append(chosen, all[at])
	}
	return chosen, nil
}

// prepare returns the suites of the mutants by name, compiled and run once.
func prepare(chosen []mutant) (map[string]*suite, error) {
	suites, programs := map[string]*suite{}, map[string]string{}
	runs := sideBySide()
	for _, m := range chosen {
		for _, name := range m.Tests {
			if _, begun := suites[name]; begun {
				continue
			}
			s, err := newSuite(name, programs)
			if err != nil {
				return nil, err
			}
			suites[name] = s
		}
	}
	for _, s := range suites {
		runs.Go(s.time)
	}
	return suites, runs.Wait()
}

// sideBySide returns a group that runs one program for each two cores at a time.
func sideBySide() *errgroup.Group {
	group := new(errgroup.Group)
	group.SetLimit(max(1, runtime.NumCPU()/2))
	return group
}

// tryAll runs the mutants and prints a line for each. It returns the number of mutants whose verdict is not the list's.
func tryAll(chosen []mutant, suites map[string]*suite) (faults int32) {
	tries := sideBySide()
	var faulty atomic.Int32
	for _, m := range chosen {
		tries.Go(func() error {
			began := time.Now()
			v, by := m.try(suites)
			if v == survived && m.Survives != "" {
				by = "as listed: " + m.Survives
			} else if v != noticed || m.Survives != "" {
				faulty.Add(1)
			}
			fmt.Printf("%3d %-9s %5.1f s  %s: %s (%s)\n", m.Number, v, time.Since(began).Seconds(), m.File, m.Breaks, by)
			return nil
		})
	}
	_ = tries.Wait() // no function returns an error
	return faulty.Load()
}
