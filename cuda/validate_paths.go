//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

// CheckDistances goes on with shortest paths whose parents have been entered and descended: the distances of the
// vertices that this rank owns, which stay as they are until the last step. It writes this rank's slice of Distances.
// No other step may follow if any rank has found a broken rule here.
func (v *Validator) CheckDistances(distances Memory) (Findings, error) {
	return v.step("checking distances", func(f *C.g500_findings) C.int {
		return C.g500_validator_check_distances(v.c, pointer[C.float](distances.address), f, v.device.onStream())
	})
}

// CheckPathTuples checks tuples with their weights, with all ranks' slices of Distances, and joins the vertices of the
// window to their parents by tuples that have the length of the difference. It counts the tuples.
func (v *Validator) CheckPathTuples(tuples, weights Memory) (Findings, error) {
	list, count := edges(tuples)
	lengths, err := weightsOf(count, weights)
	if err != nil {
		return Findings{}, err
	}
	return v.step("checking tuples", func(f *C.g500_findings) C.int {
		return C.g500_validator_check_path_tuples(v.c, list, lengths, count, f, v.device.onStream())
	})
}

// JoinPathTuples joins the vertices of the window to their parents by tuples that have the length of the difference.
func (v *Validator) JoinPathTuples(tuples, weights Memory) error {
	list, count := edges(tuples)
	lengths, err := weightsOf(count, weights)
	if err != nil {
		return err
	}
	return check("looking for tree edges", C.g500_validator_join_tuples(v.c, list, lengths, count, v.device.onStream()))
}
