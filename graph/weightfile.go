// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"g500/internal/infile"
)

// MostWeight is the largest weight of an edge. A path of 2^32 such edges has a length in single precision.
const MostWeight = 1e28

// WeightError returns an error if shortest paths do not accept the weight.
func WeightError(w float32) error {
	if w >= 0 && w <= MostWeight {
		return nil
	}
	return fmt.Errorf("the weight %g: shortest paths need weights from 0 to %g", w, float64(MostWeight))
}

// WeightBytes is the size of one weight in a file.
const WeightBytes = 4

// WeightsPath returns the path of the weights of an edge list, as the Graph500 reference code names it.
func WeightsPath(edges string) string { return edges + ".weights" }

// WriteWeights writes weights as single-precision little-endian numbers, in the order of their tuples.
func WriteWeights(w io.Writer, weights []float32) error {
	var word [WeightBytes]byte
	for _, weight := range weights {
		binary.LittleEndian.PutUint32(word[:], math.Float32bits(weight))
		if _, err := w.Write(word[:]); err != nil {
			return err
		}
	}
	return nil
}

// WeightFile has the weights of an edge list in a file.
type WeightFile struct{ Path string }

// OpenWeightFile returns the weights of an edge list. Their number must be the number of tuples.
func OpenWeightFile(list EdgeFile) (WeightFile, error) {
	file := WeightFile{WeightsPath(list.Path)}
	size, err := infile.Regular(file.Path, "the weights")
	if errors.Is(err, fs.ErrNotExist) {
		return file, fmt.Errorf("graph: edge list %s has no weights, which shortest paths need, in %s: "+
			"write both with g500 generate --weights", list.Path, file.Path)
	}
	if err != nil {
		return file, fmt.Errorf("graph: %w", err)
	}
	if want := list.Tuples * WeightBytes; size != want {
		return file, fmt.Errorf("graph: %s has %d bytes, but the weights of the %d tuples in %s have %d: "+
			"it is truncated, or of another edge list", file.Path, size, list.Tuples, list.Path, want)
	}
	return file, nil
}

// Part opens the file to read count weights from number first on.
func (file WeightFile) Part(first, count int64) (*FilePart[float32], error) {
	return openPart(file.Path, "weights", first, count, WeightBytes, func(record []byte) (float32, error) {
		w := math.Float32frombits(binary.LittleEndian.Uint32(record))
		if err := WeightError(w); err != nil {
			return w, fmt.Errorf("%w: the file is damaged", err)
		}
		return w + 0, nil // -0 becomes 0
	})
}
