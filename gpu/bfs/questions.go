package bfs

import (
	"encoding/binary"

	"g500/bfs"
	"g500/comm"
)

// bounds choose how ranks on several hosts exchange, as on CPUs. Tests have others.
var bounds = bfs.DefaultBounds()

// What a question and its answer take between two ranks: 33 bits.
const questionBits = 32 + 1

// told is how many hub ids of each rank messages tell the bits of, where ranks have parts of so many vertices: all, or
// fewer where the ranks of several hosts ask for the others. Then most bounds the questions of all ranks in a level:
// more would take longer than words of all bits.
func told(t comm.Transport, stride int64) (told, most int64) {
	tiers := comm.NewTiers(t)
	if !bounds.Ask(int(stride), tiers) {
		return stride, 0
	}
	told = min(2*int64(bounds.HubsTold(int(stride), tiers.Hosts())), stride) // as questions take twice as much as on CPUs
	bits := int64(tiers.Hosts()-1) * int64(t.Size()) * (stride - told)       // the others, to each other host
	return told, bits / questionBits
}

// exchangeWords brings words to the ranks that they are for: counts[r] of them for rank r, one rank's after the
// other's. It returns those that come, in the same order, and the most that one rank has for another. It is collective.
func exchangeWords(
	t comm.Transport, counts []int64, words []uint64,
) (got []int64, all []uint64, most int64, err error) {
	send := make([][]byte, t.Size())
	for r, n := range counts {
		send[r] = make([]byte, 0, 8*n)
		for _, word := range words[:n] {
			send[r] = binary.LittleEndian.AppendUint64(send[r], word)
		}
		words = words[n:]
		most = max(most, n)
	}
	messages, err := t.AllToAll(send)
	if err != nil {
		return nil, nil, 0, err
	}
	got = make([]int64, t.Size())
	for r, message := range messages {
		got[r] = int64(len(message) / 8)
		for ; len(message) >= 8; message = message[8:] {
			all = append(all, binary.LittleEndian.Uint64(message))
		}
	}
	sums := []int64{most}
	err = t.AllReduce(sums, comm.Max)
	return got, all, sums[0], err
}
