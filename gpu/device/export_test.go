// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

// Exports for tests in package device_test, which is separate because gputest imports this package.

const (
	Granule      = granule
	NodeVariable = nodeVariable
)

// RemoteNames returns the names of the transports between remote ranks.
func RemoteNames() (names []string) {
	for _, r := range remotes {
		names = append(names, r.name)
	}
	return names
}

// PieceOf is pieceOf, StagedPiece stagedPiece.
var PieceOf, StagedPiece = pieceOf, stagedPiece

// RetiredBy returns the number of retired buffers that are not freed.
func RetiredBy(t Transport) int { return len(t.(*transport).retired) }

// GoesFromDevice reports whether MPI moves data from device memory.
func GoesFromDevice(t Transport) bool {
	_, is := t.(*transport).remote.(*fromDevice)
	return is
}

// GoesByNCCL reports whether NCCL moves the data.
func GoesByNCCL(t Transport) bool {
	_, is := t.(*transport).remote.(*collectives)
	return is
}
