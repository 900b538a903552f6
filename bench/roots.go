package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"g500/comm"
	"g500/graph"
	"g500/internal/infile"
	"g500/report"
)

// roots are the search keys that the user has chosen. Line i+1 of the file is root i.
type roots struct {
	file   string
	labels []graph.Global
}

// readRoots reads the file of roots on rank 0, which sends it to the others. It is collective.
func (b *benchmark) readRoots(ctx context.Context) (r roots, err error) {
	if b.cfg.Search.Roots == "" {
		return r, nil
	}
	text := ""
	if b.t.Rank() == 0 {
		text, err = b.rootsText(ctx)
	}
	if err := comm.Agree(b.t, err); err != nil {
		return r, err
	}
	all, err := Tell(b.t, text)
	if err != nil {
		return r, err
	}
	r, err = parseRoots(b.cfg, all[0])
	return r, comm.Agree(b.t, err)
}

// rootsText reads the file of roots.
func (b *benchmark) rootsText(ctx context.Context) (string, error) {
	file, err := infile.Open(ctx, b.cfg.Search.Roots)
	if err != nil {
		return "", fmt.Errorf("roots: %w", err)
	}
	text, err := io.ReadAll(file)
	b.parts = append(b.parts, inputPart{rootsUse, b.cfg.Search.Roots, file.Fingerprint, file.Pipe})
	return string(text), errors.Join(err, file.Close())
}

// parseRoots takes a whole list or nothing: a root that is left out without a word would be missed by nobody.
func parseRoots(c Config, text string) (roots, error) {
	r := roots{file: c.Search.Roots}
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return r, fmt.Errorf("%s has no roots: write one label a line", r.file)
	}
	vertices := int64(c.Params().Vertices())
	lineOf := map[graph.Global]int{}
	for i, line := range strings.Split(text, "\n") {
		label, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
		outside := errors.Is(err, strconv.ErrRange)
		v := graph.Global(label)
		switch {
		case err != nil && !outside:
			err = fmt.Errorf("%q is no label: write one whole number a line", clip(line))
		case outside || label < 0 || label >= vertices:
			err = fmt.Errorf("%s is no vertex: labels of scale %d go from 0 to %d",
				clip(strings.TrimSpace(line)), c.Graph.Scale, vertices-1)
		case lineOf[v] > 0:
			err = fmt.Errorf("root %d stands in line %d already: remove one of the two", v, lineOf[v])
		case i == maxKeys:
			err = fmt.Errorf("%d roots are the most: remove this line and those after it", maxKeys)
		}
		if err != nil {
			return r, fmt.Errorf("%s:%d: %w", r.file, i+1, err)
		}
		lineOf[v] = i + 1
		r.labels = append(r.labels, v)
	}
	return r, nil
}

// clip keeps a line that is no number from filling the terminal.
func clip(line string) string { return line[:min(len(line), 40)] }

// withEdges refuses a root without an edge to another vertex: a search from it reaches nothing. It is collective.
func (r roots) withEdges(t comm.Transport, e structure) error {
	proper, err := connected(t, e, r.labels)
	if err != nil {
		return err
	}
	for i, v := range r.labels {
		if !proper[i] {
			return fmt.Errorf("%s:%d: vertex %d has no edge to another vertex: choose a root that has one",
				r.file, i+1, v)
		}
	}
	return nil
}

// sameRoots refuses to go on with searches from other roots than the keys of this run.
func sameRoots(searches []report.Search, keys []graph.Global) error {
	for _, s := range searches {
		if s.Key < 0 || len(keys) == 0 {
			continue // the verdict tells
		}
		if root := keys[s.Key%len(keys)]; graph.Global(s.Root) != root {
			return fmt.Errorf("search key %d of the run to resume has root %d, and that of this run is %d: "+
				"the folder or the file of roots was changed; start a new run", s.Key, s.Root, root)
		}
	}
	return nil
}
