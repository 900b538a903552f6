// SPDX-License-Identifier: Apache-2.0

package record

import "fmt"

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
	for _, input := range r.Inputs {
		if input.Pipe {
			return input.Path
		}
	}
	return ""
}
