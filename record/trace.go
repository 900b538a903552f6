// SPDX-License-Identifier: Apache-2.0

package record

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
