package bfs

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

// The words of a bitmap that a rank lists for others: of each 64 bits, with the word in the high half and its place in
// the rank's part of the bitmap in the low half. They come in any order, and between hosts they go in that of places,
// in fewer bytes: a varint, of 64 times the places skipped since the one before, plus the number of the word's only set
// bit; or plus severalBits, and the word behind it.
const (
	listedBytes = 8
	gapUnit     = 64
	severalBits = 32
)

var errListed = errors.New("gpu: a message about visited vertices is damaged: ranks run different versions of g500")

// packListed appends listed words to a message. scratch may have any contents, and is given back with room for them.
func packListed(message, listed []byte, scratch []uint64) ([]byte, []uint64) {
	scratch = scratch[:0]
	for ; len(listed) >= listedBytes; listed = listed[listedBytes:] {
		scratch = append(scratch, bits.RotateLeft64(binary.LittleEndian.Uint64(listed), 32))
	}
	slices.Sort(scratch)
	next := uint64(0)
	for _, entry := range scratch {
		place, word := entry>>32, uint32(entry)
		head := (place - next) * gapUnit
		if bits.OnesCount32(word) == 1 {
			message = binary.AppendUvarint(message, head+uint64(bits.TrailingZeros32(word)))
		} else {
			message = binary.AppendUvarint(message, head+severalBits)
			message = binary.LittleEndian.AppendUint32(message, word)
		}
		next = place + 1
	}
	return message, scratch
}

// unpackListed fills listed with the words of a message that has exactly so many. Places are below 2^32.
func unpackListed(listed, message []byte) error {
	next := uint64(0)
	for ; len(listed) >= listedBytes; listed = listed[listedBytes:] {
		head, n := binary.Uvarint(message)
		place := next + head/gapUnit
		if n <= 0 || place >= 1<<32 || place < next {
			return errListed
		}
		message = message[n:]
		word := uint32(1) << (head % gapUnit)
		switch code := head % gapUnit; {
		case code == severalBits && len(message) >= 4:
			word = binary.LittleEndian.Uint32(message)
			message = message[4:]
		case code >= severalBits:
			return errListed
		}
		binary.LittleEndian.PutUint64(listed, uint64(word)<<32|place)
		next = place + 1
	}
	if len(message) > 0 {
		return errListed
	}
	return nil
}
