// SPDX-License-Identifier: Apache-2.0

package record

import (
	"g500/internal/machine"
	"g500/settings"
)

// Config is the configuration that is stored with a run.
type Config = settings.Config

// Search is one timed search and the verdict on its tree.
type Search struct {
	Key             int     `json:"key"`                   // index in the list of search keys, from 0
	Root            int64   `json:"root"`                  // label of the root
	Seconds         float64 `json:"seconds"`               // time of the slowest rank
	Edges           int64   `json:"edges"`                 // tuples in the component, with duplicates, without self-loops
	EdgesWithLoops  int64   `json:"edges_with_self_loops"` // the same with self-loops
	Reached         int64   `json:"reached_vertices"`      // vertices in the tree, the root included
	Levels          int     `json:"levels"`                // levels of the tree, the root's included
	ValidateSeconds float64 `json:"validate_seconds"`      // NotValidated (-1) if validation was skipped
	Fault           string  `json:"fault,omitempty"`       // the rule that the tree breaks, "" if none
	Trace           []Level `json:"trace,omitempty"`       // steps of the search, nil without --trace
}

// NotValidated is the validation time of a tree that was not validated, as in the Graph500 reference code.
const NotValidated = -1

// Status is the verdict on a whole run.
type Status string

// A run is Incomplete from its start until its last search. Only a Valid run has TEPS. Inconsistent is the status of a
// stored run whose record contradicts itself.
const (
	Valid        Status = "VALID"
	Invalid      Status = "INVALID"
	Incomplete   Status = "INCOMPLETE"
	Unvalidated  Status = "UNVALIDATED"
	Inconsistent Status = "INCONSISTENT"
)

// Run is the record of a run that has ended, or as far as it has come.
type Run struct {
	Status  Status `json:"status"`            // verdict on the whole run; set by Settle
	Reason  string `json:"reason,omitempty"`  // why the status is not VALID; set by Settle
	Failure string `json:"failure,omitempty"` // error or signal that ended the run before its end, or ""

	Contradiction string `json:"-"` // how the stored record contradicts itself, "" if it does not
	Counted       bool   `json:"-"` // edges were counted without validation, for rates; such a run is not stored

	Graph *Graph `json:"graph,omitempty"` // nil for the official graph

	Simple *SimpleGraph `json:"simple_graph,omitempty"` // as kernel 1 counted it; nil if the engine cannot

	Scale      int   `json:"scale"`      // the graph has 2^scale vertices
	EdgeFactor int64 `json:"edgefactor"` // and edgefactor * 2^scale edge tuples
	Ranks      int   `json:"ranks"`
	ResultBits int   `json:"result_bits,omitempty"` // of a parent in a result; 0 if the run has not begun

	GenerationSeconds     float64   `json:"graph_generation_seconds"`          // of the slowest rank
	RankGenerationSeconds []float64 `json:"rank_generation_seconds,omitempty"` // by rank, nil on one rank

	Resumed int      `json:"resumed_searches"`        // searches of the earlier parts
	Parts   []Part   `json:"earlier_parts,omitempty"` // one for each interruption after which the run was resumed
	Inputs  []Input  `json:"inputs,omitempty"`        // files that the run read
	Notes   []string `json:"notes,omitempty"`         // facts that a reader cannot see in the figures

	Config      *Config     `json:"config"` // nil if the run has not begun
	Environment Environment `json:"environment"`

	Kernels []KernelRun `json:"-"` // in the order in which they run; see Document
}

// Graph is a graph other than the official one. Its run has the smallest scale and edge factor that hold it.
type Graph struct {
	Spec     string `json:"spec"` // as run --graph takes it
	Vertices int64  `json:"vertices"`
	Edges    int64  `json:"edges"`              // tuples: each edge once
	Directed bool   `json:"directed,omitempty"` // edges lead from their first vertex to their second
}

// SimpleGraph is the size of the graph without duplicate edges and self-loops.
type SimpleGraph struct {
	Vertices int64 `json:"vertices"` // with an edge to another vertex
	Edges    int64 `json:"edges"`    // undirected
}

// Part is an interrupted run that was resumed.
type Part struct {
	Searches            int         `json:"searches"`             // finished at its end, with earlier parts
	ConstructionSeconds float64     `json:"construction_seconds"` // of its own kernel 1; 0 if that did not end
	Environment         Environment `json:"environment"`
}

// Construction describes the part's kernel 1 for a sentence.
func (p Part) Construction() string {
	if p.ConstructionSeconds > 0 {
		return "took " + FormatSeconds(p.ConstructionSeconds)
	}
	return "did not end"
}

// Environment describes the program and the machines of a run.
type Environment struct {
	Program   Program  `json:"program"`          // version and commit of g500
	Command   []string `json:"command"`          // the command line
	Started   string   `json:"started"`          // RFC 3339
	Nodes     []string `json:"nodes"`            // name of each rank's node, by rank
	CPU       string   `json:"cpu"`              // model name, rank 0
	Cores     int      `json:"cores"`            // logical processors of rank 0's node
	Threads   int      `json:"threads"`          // worker threads per rank
	MemoryB   int64    `json:"memory_bytes"`     // of rank 0's node
	System    string   `json:"system"`           // operating system and architecture
	Go        string   `json:"go"`               // toolchain
	MPI       string   `json:"mpi,omitempty"`    // library version, "" if MPI carries no messages
	Transport string   `json:"transport"`        // between ranks: a value of --transport
	Engine    string   `json:"engine"`           // gpu, cpu or topdown
	Device    *Device  `json:"device,omitempty"` // rank 0's GPU, nil on CPUs

	RankDevices []string `json:"rank_devices,omitempty"` // GPU of each rank, nil on CPUs

	Machines []Kind   `json:"machines,omitempty"` // all nodes, by kind
	Queue    []string `json:"queue,omitempty"`    // Slurm's variables of the job, as NAME=value

	Variables []string `json:"transport_variables,omitempty"` // of rank 0 that change how messages travel, as NAME=value
}

// Kind is a kind of node, and the nodes of this kind.
type Kind struct {
	Nodes []string `json:"nodes"` // each once, in alphabetical order
	machine.Facts
}
