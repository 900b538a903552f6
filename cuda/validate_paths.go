//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

// CheckDistances checks the distances of owned vertices after Enter and Descend, and writes this rank's slice of
// Distances. The distances must not change until the last step. No step may follow if any rank finds a broken rule.
func (v *Validator) CheckDistances(distances Memory) (Findings, error) {
	return v.step("checking distances", func(f *C.g500_findings) C.int {
		return C.g500_validator_check_distances(v.c, pointer[C.float](distances.address), f, v.device.onStream())
	})
}

// CheckPathTuples checks that no tuple shortens a path, with all slices of Distances, marks the vertices of the window
// as JoinTuples does, and counts the tuples.
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
