// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"fmt"

	"g500/internal/lists"
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

	Kernels []KernelRun `json:"kernels"` // in the order in which they ran
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

// The uses of input files.
const (
	GraphUse   = "graph"
	EdgesUse   = "edges"
	WeightsUse = "weights"
	RootsUse   = "roots"
)

// Input is a file that a run read.
type Input struct {
	Use   string `json:"use"` // graph, edges, weights or roots
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
	CRC64 string `json:"crc64"`          // CRC-64/XZ of the bytes, as 16 hexadecimal digits
	Pipe  bool   `json:"pipe,omitempty"` // it cannot be read again, and the run cannot be resumed
}

// Content returns the size and checksum for a sentence.
func (i Input) Content() string { return fmt.Sprintf("%d bytes with CRC-64 %s", i.Bytes, i.CRC64) }

// Pipe returns the path of the first pipe that the run read, "" if it read none.
func (r *Run) Pipe() string {
	return cmp.Or(lists.Find(r.Inputs, func(i Input) bool { return i.Pipe }), &Input{}).Path
}

// Level is one step of a search.
type Level struct {
	Step     string     `json:"step"`              // top-down, bottom-up, result order, or a step of shortest paths
	Variant  string     `json:"variant,omitempty"` // of engine gpu, as push-segments; "" if unknown
	Frontier int64      `json:"frontier"`          // vertices in the frontier
	Edges    int64      `json:"edges"`             // edges that leave the frontier; of top-down steps only
	Seconds  float64    `json:"seconds"`           // time of the slowest rank
	Ranks    *RankCosts `json:"ranks,omitempty"`   // by rank, nil on one rank
}

// RankCosts has the times and the traffic of a step on each rank. All lists are by rank.
type RankCosts struct {
	Computing  []float64 `json:"computing_seconds"`  // work on the rank's own vertices
	Exchanging []float64 `json:"exchanging_seconds"` // transfers to and from other ranks
	Waiting    []float64 `json:"waiting_seconds"`    // for other ranks
	Traffic    []Traffic `json:"traffic,omitempty"`
}

// Traffic is the number of bytes that each rank sent and received in one step as one payload over one transport.
type Traffic struct {
	Payload   string  `json:"payload"`   // bitmap, bins, queries, replies, rows or sums
	Transport string  `json:"transport"` // peer, node, network, or the transport of GPUs on different nodes
	Sent      []int64 `json:"sent_bytes"`
	Received  []int64 `json:"received_bytes"`
}
