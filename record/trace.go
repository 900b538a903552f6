package record

// Level is one step of a search.
type Level struct {
	Step     string     `json:"step"`              // a Step constant of package trace
	Variant  string     `json:"variant,omitempty"` // a Variant constant of package trace, "" if unknown
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
	Payload   string  `json:"payload"`   // a Payload constant of package trace
	Transport string  `json:"transport"` // a Transport constant of package trace; of older GPU runs, mpi
	Sent      []int64 `json:"sent_bytes"`
	Received  []int64 `json:"received_bytes"`
}
