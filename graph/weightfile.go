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

// MostWeight is the largest weight of an edge: the longest path of 2^32 of them is still a single-precision number.
const MostWeight = 1e28

// WeightError says that a weight is none that shortest paths can take; nil where it is one.
func WeightError(w float32) error {
	if w >= 0 && w <= MostWeight {
		return nil
	}
	return fmt.Errorf("the weight %g: shortest paths need weights from 0 to %g", w, float64(MostWeight))
}

// WeightBytes is the size of one weight in a file.
const WeightBytes = 4

// WeightsPath is the file of the weights that belong to an edge list, as the official program names it.
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

// WeightFile is the weights of an edge list in a file, with nothing before, between or after them.
type WeightFile struct{ Path string }

// OpenWeightFile finds the weights of an edge list, as many as it has tuples.
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
func (file WeightFile) Part(first, count int64) (*WeightPart, error) {
	part, err := openPart(file.Path, first*WeightBytes, count*WeightBytes)
	if err != nil {
		return nil, fmt.Errorf("graph: cannot read the weights: %w", err)
	}
	return &WeightPart{part, file, first}, nil
}

// WeightPart is a part of a file of weights, which is read once and in order.
type WeightPart struct {
	*FilePart
	list WeightFile
	next int64 // the number of the next tuple
}

// Read fills dst with the weights of the next tuples. A number that is no weight is an error.
func (p *WeightPart) Read(dst []float32) error {
	var word [WeightBytes]byte
	for i := range dst {
		if _, err := io.ReadFull(p.in, word[:]); err != nil {
			return fmt.Errorf("graph: weights %s end at tuple %d: %w", p.list.Path, p.next, err)
		}
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(word[:]))
		if err := WeightError(dst[i]); err != nil {
			return fmt.Errorf("graph: weights %s, tuple %d: %w: the file is damaged", p.list.Path, p.next, err)
		}
		p.next++
	}
	return nil
}
