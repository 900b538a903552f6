package comm

import (
	"encoding/binary"
	"errors"
)

// A bundle is several messages in one: of each its length, as a varint, and its bytes.

var errBundle = errors.New("comm: a bundle of messages ends too early: ranks disagree about their nodes")

// appendSection adds a message to a bundle.
func appendSection(bundle, message []byte) []byte {
	bundle = binary.AppendUvarint(bundle, uint64(len(message)))
	return append(bundle, message...)
}

// cutSection takes the first message off a bundle.
func cutSection(bundle []byte) (message, rest []byte, err error) {
	length, head := binary.Uvarint(bundle)
	if head <= 0 || length > uint64(len(bundle)-head) {
		return nil, nil, errBundle
	}
	end := head + int(length)
	return bundle[head:end:end], bundle[end:], nil
}

// cutAny does the same with a bundle that is empty where all its messages are.
func cutAny(bundle []byte) (message, rest []byte, err error) {
	if len(bundle) == 0 {
		return nil, nil, nil
	}
	return cutSection(bundle)
}
