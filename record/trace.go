package record

// Level is one step of a search.
type Level struct {
	Step     string     `json:"step"`              // a Step constant of package trace
	Variant  string     `json:"variant,omitempty"` // how the step went, a Variant constant of package trace; "" if unknown
	Frontier int64      `json:"frontier"`          // vertices in the frontier
	Edges    int64      `json:"edges"`             // that leave it; of a top-down step only
	Seconds  float64    `json:"seconds"`           // time of the slowest rank
	Ranks    *RankCosts `json:"ranks,omitempty"`   // what it cost each rank, where there are several
}

// RankCosts is what a step cost each rank. All lists are in the order of ranks.
type RankCosts struct {
	Computing  []float64 `json:"computing_seconds"`  // on the rank's own vertices
	Exchanging []float64 `json:"exchanging_seconds"` // on words from and for other ranks
	Waiting    []float64 `json:"waiting_seconds"`    // for other ranks
	Traffic    []Traffic `json:"traffic,omitempty"`
}

// Traffic is the number of bytes that each rank sent and received in one step as one payload over one transport.
type Traffic struct {
	Payload   string  `json:"payload"`   // a Payload constant of package trace
	Transport string  `json:"transport"` // a Transport constant of package trace; of older GPU runs, mpi
	Sent      []int64 `json:"sent_bytes"`
	Received  []int64 `json:"received_bytes"`
}
