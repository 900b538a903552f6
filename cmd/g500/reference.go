// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

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
		return nil
	case !isSet("REUSEFILE"):
		r.notes = append(r.notes, "TMPFILE has no effect without REUSEFILE: the edge list is in memory")
		return nil
	}
	files := []keptFile{{path, "the edge list", graph.Packed.RecordBytes()}}
	if cfg.Search.Kernel != string(record.BFS) {
		files = append(files, keptFile{graph.WeightsPath(path), "the weights", graph.WeightBytes})
	}
	other := slices.IndexFunc(files, func(f keptFile) bool { return !f.fits(*cfg) })
	if other < 0 {
		cfg.Graph.Edges = path
		return isOfGraph(files, *cfg)
	}
	if _, err := os.Stat(files[other].path); err == nil {
		r.notes = append(r.notes, fmt.Sprintf("%s has another size than %s of this graph: it is written anew after the run",
			files[other].path, files[other].what))
	}
	r.keep = path
	for _, f := range files {
		if _, err := writable(f.path, f.what); err != nil {
			return err
		}
	}
	return nil
}

// keptFile is a file that TMPFILE names, with that many bytes for each edge tuple.
type keptFile struct {
	path, what string
	each       int64
}

// fits reports whether the file has the size of the graph.
func (f keptFile) fits(cfg record.Config) bool {
	info, err := os.Stat(f.path)
	return err == nil && info.Size() == f.each*cfg.Params().Edges()
}

// isOfGraph returns an error if tuples at the beginning, in the middle and at the end of a file of the graph's size, or
// their weights if there is a second file, cannot be read or are not the generator's.
func isOfGraph(files []keptFile, cfg record.Config) error {
	p := cfg.Params()
	n := min(p.Edges(), 1<<10)
	edges, weights := make([]graph.Edge, n), make([]float32, n)
	for _, first := range []int64{0, (p.Edges() - n) / 2, p.Edges() - n} {
		p.Fill(first, edges, weights)
		var want [2]bytes.Buffer
		if err := errors.Join(graph.WriteEdges(&want[0], graph.Packed, edges),
			graph.WriteWeights(&want[1], weights)); err != nil {
			return err
		}
		for i, f := range files {
			if is, err := f.hasAt(first*f.each, want[i].Bytes()); err != nil {
				return err
			} else if !is {
				return fmt.Errorf("%s has the size, but not the content, of the graph of scale %d, edge factor %d and the "+
					"official seeds: remove it, or name another file", f.path, cfg.Graph.Scale, cfg.Graph.EdgeFactor)
			}
		}
	}
	return nil
}

// hasAt reports whether the file has these bytes at an offset.
func (f keptFile) hasAt(offset int64, want []byte) (bool, error) {
	file, err := infile.OpenRegular(f.path, f.what)
	if err != nil {
		return false, err
	}
	defer file.Close()
	got := make([]byte, len(want))
	_, err = file.ReadAt(got, offset)
	return bytes.Equal(got, want), err
}

// accepts reports whether a run of that status succeeds.
func (r *referenceMode) accepts(status record.Status) bool {
	return status == record.Valid || r != nil && r.skipValidation && status == record.Unvalidated
}

// keepEdges writes the edge list, with weights if the kernel has them, for the next run. Only rank 0's process does.
func (j *job) keepEdges() error {
	if j.opt.reference == nil || j.opt.reference.keep == "" || !j.first.Load() {
		return nil
	}
	return generate(j.cfg, j.opt.reference.keep, j.cfg.Search.Kernel != string(record.BFS), j.errOut)
}
