package bfs

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

// A listed word of a bitmap has 64 bits: the word in the high half, and its index in the rank's part of the bitmap in
// the low half. The device lists words in any order. Between hosts they are sorted by index and packed into a varint:
// 64 times the number of skipped words, plus the number of the only set bit. If several bits are set, it is plus
// severalBits, and the word follows.
const (
	listedBytes = 8
	gapUnit     = 64
	severalBits = 32
)

var errListed = errors.New("gpu: a message about visited vertices is damaged: ranks run different versions of g500")

// packListed appends listed words to a message. scratch is a buffer, which is returned for the next call.
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

// unpackListed fills listed with the words of a message. It is an error if the message has fewer or more.
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
