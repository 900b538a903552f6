// SPDX-License-Identifier: Apache-2.0

// Command g500 is a Graph500 benchmark for one machine or an MPI cluster, on CPUs or GPUs.
//
// run.go starts the ranks, package bench does the benchmark's steps, and package record stores and prints the result.
// Package analysis/report makes tables, pictures and a page from stored results (report.go). This package reads flags
// and shows progress; package cmd/cli has what it shares with the laboratory's program, cmd/g500-lab.
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"g500/cmd/cli"
	"g500/comm"
	"g500/record"
)

//go:embed manual.toml
var manual string

func main() {
	args, last := os.Args[1:], new(bytes.Buffer)
	name := filepath.Base(os.Args[0])
	if _, is := referencePrograms[name]; is {
		status := runReference(name, args, os.Stdout, os.Stderr, last)
		os.Exit(endTogether([]string{"run"}, status, last.String()))
	}
	program := thisProgram()
	program.Last = last
	status := program.Run(args, os.Stdout, os.Stderr)
	os.Exit(endTogether(args, status, last.String()))
}

// The exit statuses.
const (
	success = cli.Success
	failure = cli.Failure
	misuse  = cli.WasMisused
)

// thisProgram returns this program, whose Root has no command of cobra yet.
func thisProgram() cli.Program { return programWith(runOptions{}) }

// programWith returns this program, whose runs have these options unless flags set them.
func programWith(opt runOptions) cli.Program {
	root := cli.Group("g500",
		runCommand(opt), generateCommand(), validateCommand(), scaleCommand(), reportCommand(), compareCommand(),
		modelCommand(), netCommand(), graphCommand(), submissionCommand(), doctorCommand())
	return cli.Program{Root: root, Flags: flags(), Manual: cli.ReadManual(manual),
		Built: func() string {
			return fmt.Sprintf("transports: %s\nengines:    %s; %s", builtWith(), engineNames(), gpuBuild())
		}}
}

// programVersion returns the name, the version and the commit of this program.
func programVersion() record.Program { return cli.ProgramVersion("g500") }

// builtWith lists the transports of this program.
func builtWith() string {
	has, lacks := []string(nil), ""
	for _, h := range comm.HostTransports {
		switch library := h.Library(); {
		case library != "":
			has = append(has, fmt.Sprintf("%s (%s)", h.Title, library))
		case h.Make == "":
			has = append(has, h.Title)
		default:
			lacks += fmt.Sprintf("; no %s (build with %s)", h.Title, h.Make)
		}
	}
	return strings.Join(has, ", ") + lacks
}
