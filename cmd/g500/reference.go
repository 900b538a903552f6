// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"g500/cmd/cli"
	"g500/graph"
	"g500/internal/infile"
	"g500/record"
	"g500/settings"
)

// referencePrograms are the executables of the Graph500 reference code 3.0.1, with the kernels that they run. Under
// their names this program takes their arguments and environment, and prints the output block alone on standard output.
var referencePrograms = map[string]string{"graph500_reference_bfs": "bfs", "graph500_reference_bfs_sssp": "both"}

// referenceMode has what a run differs in under a name of the reference code. nil is a run of g500.
type referenceMode struct {
	skipBFS        bool
	skipValidation bool
	keep           string // write the edge list to this file after the run; "" for not
	notes          []string
}

// runReference runs the benchmark under a name of the reference code, and returns the exit status. last receives the
// error that ends the program.
func runReference(name string, args []string, out, errOut, last io.Writer) int {
	command, ref, err := referenceRun(name, args)
	if err != nil {
		fmt.Fprintf(last, "%s: %v\nusage: %[1]s SCALE [EDGEFACTOR]\n"+
			"  SCALE       the graph has 2^SCALE vertices\n  EDGEFACTOR  edge tuples per vertex (default %[3]d)\n"+
			"environment: SKIP_VALIDATION, SKIP_BFS; TMPFILE=FILE with REUSEFILE keeps the edge list in FILE\n",
			name, err, settings.OfficialEdgeFactor)
		return failure
	}
	program := programWith(runOptions{reference: ref})
	program.Last = last
	if program.Run(command, out, errOut) != success {
		return failure
	}
	return success
}

// referenceRun returns the command of g500 that does the work of a reference program. As in the reference code, any
// value of a variable of the environment sets it.
func referenceRun(name string, args []string) (command []string, ref *referenceMode, err error) {
	cfg, ref := settings.Default(), new(referenceMode)
	cfg.Search.Kernel = referencePrograms[name]
	numbers := make([]int, len(args))
	for i := range args {
		if numbers[i], err = strconv.Atoi(args[i]); err != nil {
			break
		}
	}
	if err != nil || len(args) < 1 || len(args) > 2 {
		return nil, nil, errors.New("one or two whole numbers are needed")
	}
	if cfg.Graph.Scale = numbers[0]; len(args) == 2 {
		cfg.Graph.EdgeFactor = int64(numbers[1])
	}
	if err = cfg.Check(); err != nil {
		return nil, nil, err
	}
	ref.skipValidation = isSet("SKIP_VALIDATION")
	if isSet("SKIP_BFS") {
		if ref.skipBFS = cfg.Search.Kernel == record.Both; ref.skipBFS {
			cfg.Search.Kernel = string(record.SSSP)
		} else {
			ref.notes = append(ref.notes, "SKIP_BFS has no effect: this program runs only breadth-first search")
		}
	}
	if err = ref.chooseFile(&cfg); err != nil {
		return nil, nil, fmt.Errorf("TMPFILE: %w", err)
	}
	command = []string{"run", "--kernel", cfg.Search.Kernel, "--scale", strconv.Itoa(cfg.Graph.Scale),
		"--edgefactor", strconv.FormatInt(cfg.Graph.EdgeFactor, 10), fmt.Sprintf("--validate=%v", !ref.skipValidation)}
	if cfg.Graph.Edges != "" {
		command = append(command, "--edges", cfg.Graph.Edges+",format="+cfg.Graph.Format)
	}
	return command, ref, nil
}

func isSet(variable string) bool {
	_, is := os.LookupEnv(variable)
	return is
}

// chooseFile reads TMPFILE instead of generating the edge list if REUSEFILE is set and the file, with the weights next
// to it, has the size of the graph; with other tuples it is refused. With another size, or none, it is written after
// the run; the error says why it cannot be.
func (r *referenceMode) chooseFile(cfg *record.Config) error {
	path := os.Getenv("TMPFILE")
	switch {
	case path == "":
	case !isSet("REUSEFILE"):
		r.notes = append(r.notes, "TMPFILE has no effect without REUSEFILE: the edge list is in memory")
	case fits(path, *cfg):
		cfg.Graph.Edges = path
		return isOfGraph(path, *cfg)
	default:
		r.keep = path
		return checkNewFile(path)
	}
	return nil
}

// checkNewFile returns an error if an edge list cannot be written to a path.
func checkNewFile(path string) error {
	path, err := regularFile(path, "the edge list")
	if err != nil {
		return err
	}
	probe, err := os.CreateTemp(filepath.Dir(path), ".g500-*")
	if err != nil {
		return fmt.Errorf("no file can be made there: %w; name one in a folder where you may write", err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// fits reports whether the edge list, and the weights if the kernel needs them, have the size of the graph.
func fits(path string, cfg record.Config) bool {
	has := func(path string, each int64) bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() == each*cfg.Params().Edges()
	}
	return has(path, graph.Packed.RecordBytes()) &&
		(cfg.Search.Kernel == string(record.BFS) || has(graph.WeightsPath(path), graph.WeightBytes))
}

// isOfGraph returns an error if tuples at the beginning, in the middle and at the end of a file of the graph's size, or
// their weights if the kernel needs them, are not the generator's.
func isOfGraph(path string, cfg record.Config) error {
	p, weighted, weightsPath := cfg.Params(), cfg.Search.Kernel != string(record.BFS), graph.WeightsPath(path)
	n := min(p.Edges(), 1<<10)
	edges, weights := make([]graph.Edge, n), make([]float32, n)
	for _, first := range []int64{0, (p.Edges() - n) / 2, p.Edges() - n} {
		p.FillWeighted(first, edges, weights)
		var want, weightsWant bytes.Buffer
		if err := errors.Join(graph.WriteEdges(&want, graph.Packed, edges),
			graph.WriteWeights(&weightsWant, weights)); err != nil {
			return err
		}
		other := ""
		if !hasAt(path, first*graph.Packed.RecordBytes(), want.Bytes()) {
			other = path
		} else if weighted && !hasAt(weightsPath, first*graph.WeightBytes, weightsWant.Bytes()) {
			other = weightsPath
		}
		if other != "" {
			return fmt.Errorf("%s has the size, but not the content, of the graph of scale %d, edge factor %d and the official "+
				"seeds: remove it, or name another file", other, cfg.Graph.Scale, cfg.Graph.EdgeFactor)
		}
	}
	return nil
}

// hasAt reports whether a file has these bytes at an offset, or cannot be read, which is an error of the run.
func hasAt(path string, offset int64, want []byte) bool {
	file, err := infile.OpenRegular(path, "the edge list")
	if err != nil {
		return true
	}
	defer file.Close()
	got := make([]byte, len(want))
	_, err = file.ReadAt(got, offset)
	return err == nil && bytes.Equal(got, want)
}

// accepts reports whether a run of that status succeeds.
func (r *referenceMode) accepts(status record.Status) bool {
	return status == record.Valid || r != nil && r.skipValidation && status == record.Unvalidated
}

// block returns the output block of a run.
func (r *referenceMode) block(run *record.Run) func(io.Writer) error {
	if r.skipBFS {
		return run.WriteWithoutBFS
	}
	return run.WriteOfficial
}

// verdict returns the last line on standard error.
func (r *referenceMode) verdict(run *record.Run) string {
	if run.Status == record.Unvalidated {
		return "not validated"
	}
	return run.Verdict()
}

// keepEdges writes the edge list, with weights if the kernel has them, for the next run. It does nothing in processes
// without rank 0.
func (j *job) keepEdges() error {
	if j.opt.reference == nil || j.opt.reference.keep == "" || !j.first.Load() {
		return nil
	}
	ctx, end := cli.UntilStopped(j.errOut)
	defer end()
	return generate(ctx, j.cfg, j.opt.reference.keep, j.cfg.Search.Kernel != string(record.BFS), j.errOut)
}

// referenceName returns the name under which this program was started, if it is one of the reference code.
func referenceName() (name string, is bool) {
	name = filepath.Base(os.Args[0])
	_, is = referencePrograms[name]
	return name, is
}
