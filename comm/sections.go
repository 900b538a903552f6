// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"encoding/binary"
	"errors"
)

// A bundle is one message with several messages in it: the length of each, as a varint, and its bytes.

var errBundle = errors.New("comm: a bundle of messages is too short: ranks disagree about their nodes")

// appendSection adds a message to a bundle.
func appendSection(bundle, message []byte) []byte {
	bundle = binary.AppendUvarint(bundle, uint64(len(message)))
	return append(bundle, message...)
}

// cutSection returns the first message of a bundle, and the rest of the bundle.
func cutSection(bundle []byte) (message, rest []byte, err error) {
	length, head := binary.Uvarint(bundle)
	if head <= 0 || length > uint64(len(bundle)-head) {
		return nil, nil, errBundle
	}
	end := head + int(length)
	return bundle[head:end:end], bundle[end:], nil
}

// cutAny is cutSection for bundles that are empty if all their messages are.
func cutAny(bundle []byte) (message, rest []byte, err error) {
	if len(bundle) == 0 {
		return nil, nil, nil
	}
	return cutSection(bundle)
}
