package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// storedRun has the fields of a run's JSON that jobtest reads. It is declared here so that a renamed field is noticed.
type storedRun struct {
	Graph *struct {
		Vertices int64 `json:"vertices"`
		Edges    int64 `json:"edges"`
	} `json:"graph"`
	Kernels []struct {
		Searches []storedSearch `json:"searches"`
	} `json:"kernels"`
}

// storedSearch is a search of either kernel.
type storedSearch struct {
	Root    int64 `json:"root"`
	Edges   int64 `json:"edges"`
	Reached int64 `json:"reached_vertices"`
}

// component is the result that all searches from a root must find, whatever the kernel, the engine and the number of
// ranks.
type component struct {
	edges, reached int64
	job            int // that found it first
}

// agreement holds the components that jobs found, by graph and root.
type agreement struct {
	mutex sync.Mutex
	found map[string]component
}

// check compares the results of a valid job with the known size of its graph and with earlier jobs' results. It returns
// the first difference, "" if there is none or if the job kept no results.
func (a *agreement) check(j job, e end) string {
	run, ok, err := stored(j, e)
	if err != nil {
		return err.Error()
	}
	if !ok {
		return ""
	}
	var searches []storedSearch
	for _, kernel := range run.Kernels {
		searches = append(searches, kernel.Searches...)
	}
	if len(searches) == 0 {
		return "the stored run is VALID and has no search"
	}
	if g, in := run.Graph, j.input; g != nil && in.vertices >= 0 && g.Vertices != in.vertices {
		return fmt.Sprintf("the graph has %d vertices, and must have %d", g.Vertices, in.vertices)
	} else if g != nil && in.edges >= 0 && g.Edges != in.edges {
		return fmt.Sprintf("the graph has %d edges, and must have %d", g.Edges, in.edges)
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, s := range searches {
		if fault := a.compare(j, s); fault != "" {
			return fault
		}
	}
	return ""
}

// compare compares one search with the first one from the same root of the same graph, or keeps it as the first.
func (a *agreement) compare(j job, s storedSearch) string {
	if s.Reached < 2 || s.Edges < s.Reached-1 {
		return fmt.Sprintf("root %d reached %d vertices over %d edges", s.Root, s.Reached, s.Edges)
	}
	if a.found == nil {
		a.found = map[string]component{}
	}
	key := fmt.Sprintf("%s root %d", j.input.name, s.Root)
	now := component{s.Edges, s.Reached, j.number}
	first, known := a.found[key]
	switch {
	case !known:
		a.found[key] = now
	case first.edges != now.edges || first.reached != now.reached:
		return fmt.Sprintf("%s: %d vertices over %d edges; job %d found %d over %d", key, now.reached, now.edges,
			first.job, first.reached, first.edges)
	}
	return ""
}

// stored returns the results that a job printed or kept; ok is false if it did neither.
func stored(j job, e end) (run storedRun, ok bool, err error) {
	text := []byte(e.out)
	if !j.json {
		if j.dir == "" {
			return run, false, nil
		}
		if text, err = os.ReadFile(filepath.Join(j.dir, "run.json")); err != nil {
			return run, false, err
		}
	}
	return run, true, json.Unmarshal(text, &run)
}
