package record

// Search is one timed search and the verdict on its tree.
type Search struct {
	Key             int     `json:"key"`                   // place in the list of search keys, from 0
	Root            int64   `json:"root"`                  // label of the root
	Seconds         float64 `json:"seconds"`               // time of the slowest rank
	Edges           int64   `json:"edges"`                 // tuples in the component: duplicates counted, self-loops not
	EdgesWithLoops  int64   `json:"edges_with_self_loops"` // the same with self-loops
	Reached         int64   `json:"reached_vertices"`      // vertices in the tree, the root included
	Levels          int     `json:"levels"`                // levels of the tree, the root's included
	ValidateSeconds float64 `json:"validate_seconds"`      // NotValidated where validation was skipped
	Fault           string  `json:"fault,omitempty"`       // the rule that the tree breaks, "" if none
	Trace           []Level `json:"trace,omitempty"`       // steps of the search, of a run with a trace
}

// NotValidated stands for the validation time of a tree that was not validated, as in the official program.
const NotValidated = -1

// Status is the verdict on a whole run.
type Status string

// A run is Incomplete from its start until its last search; only a Valid run has TEPS. Inconsistent is never stored: it
// is the status of a run whose record contradicts itself.
const (
	Valid        Status = "VALID"
	Invalid      Status = "INVALID"
	Incomplete   Status = "INCOMPLETE"
	Unvalidated  Status = "UNVALIDATED"
	Inconsistent Status = "INCONSISTENT"
)

// Run is everything that is known of a run when it ends, or is cut off.
type Run struct {
	Status  Status `json:"status"`            // set by Settle
	Reason  string `json:"reason,omitempty"`  // why the status is not VALID; set by Settle
	Failure string `json:"failure,omitempty"` // what ended the run other than its last search, "" if nothing did

	// Contradiction is how the record that the run was read from contradicts itself, "" if it does not (package record).
	Contradiction string `json:"-"`

	Graph *Graph `json:"graph,omitempty"` // of a run that is no Graph500 run; nil for the official graph

	Scale      int   `json:"scale"`
	EdgeFactor int64 `json:"edgefactor"`
	Ranks      int   `json:"ranks"`
	ResultBits int   `json:"result_bits,omitempty"` // of a parent in a result; 0 if the run did not begin

	GenerationSeconds     float64   `json:"graph_generation_seconds"`
	RankGenerationSeconds []float64 `json:"rank_generation_seconds,omitempty"` // by rank, of several

	Resumed int      `json:"resumed_searches"`        // taken over from an earlier run that was cut off
	Parts   []Part   `json:"earlier_parts,omitempty"` // that made those, one for each time that the run was cut off
	Inputs  []Input  `json:"inputs,omitempty"`        // files that the run read
	Notes   []string `json:"notes,omitempty"`         // facts that a reader must know and cannot see in the figures

	Config      *Config     `json:"config"` // that the run was started with; nil if it did not begin
	Environment Environment `json:"environment"`

	Kernels []KernelRun `json:"-"` // in the order in which they run; see document
}

// Graph is a graph that was searched in place of the official one. Scale and EdgeFactor of its run are the smallest
// into which it fits.
type Graph struct {
	Spec     string `json:"spec"`
	Vertices int64  `json:"vertices"`
	Edges    int64  `json:"edges"` // tuples of its list: each edge once
}

// Part is an earlier run that was cut off, and that this one goes on from.
type Part struct {
	Searches            int         `json:"searches"`             // done when it was cut off, with earlier parts
	ConstructionSeconds float64     `json:"construction_seconds"` // of its own kernel 1; 0 if that did not end
	Environment         Environment `json:"environment"`
}

// Construction says what became of the part's kernel 1.
func (p Part) Construction() string {
	if p.ConstructionSeconds > 0 {
		return "took " + FormatSeconds(p.ConstructionSeconds)
	}
	return "did not end"
}

// Environment is where a run took place.
type Environment struct {
	Program   string   `json:"program"`       // version and commit of g500
	Command   []string `json:"command"`       // the command line
	Started   string   `json:"started"`       // RFC 3339
	Nodes     []string `json:"nodes"`         // name of each rank\'s node, by rank
	CPU       string   `json:"cpu"`           // model name, rank 0
	Cores     int      `json:"cores"`         // logical processors of rank 0's node
	Threads   int      `json:"threads"`       // worker threads per rank
	MemoryB   int64    `json:"memory_bytes"`  // of rank 0's node
	System    string   `json:"system"`        // operating system and architecture
	Go        string   `json:"go"`            // toolchain
	MPI       string   `json:"mpi,omitempty"` // library version, "" if MPI carries no messages
	Transport string   `json:"transport"`
	Engine    string   `json:"engine"`
	Device    *Device  `json:"device,omitempty"` // rank 0's GPU, nil if the engine uses none

	RankDevices []string `json:"rank_devices,omitempty"` // the GPU of each rank, if ranks have one

	Machines []Kind   `json:"machines,omitempty"` // all nodes, by kind
	Queue    []string `json:"queue,omitempty"`    // Slurm's variables of the job, as NAME=value
}

// Kind is a kind of node, and the nodes of this kind.
type Kind struct {
	Nodes []string `json:"nodes"` // each once, in alphabetical order
	Machine
}

// Machine describes a node; unknown properties are zero. See machine.Facts.
type Machine struct {
	CPU      string   `json:"cpu,omitempty"`
	Sockets  int      `json:"sockets,omitempty"`
	Cores    int      `json:"physical_cores,omitempty"`
	Threads  int      `json:"logical_cores"`
	MemoryB  int64    `json:"memory_bytes,omitempty"`
	GPUs     []string `json:"gpus,omitempty"`
	Driver   string   `json:"gpu_driver,omitempty"`
	Networks []string `json:"networks,omitempty"`
	Kernel   string   `json:"kernel,omitempty"`
	Distro   string   `json:"distribution,omitempty"`
	Scaling  string   `json:"frequency_scaling,omitempty"`
}
