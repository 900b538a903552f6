//go:build cuda && cgo

package bfs

import (
	"g500/comm"
	"g500/cuda"
)

// queryLeaves finds this rank's queries about neighbours of leaves and sends them to the owners, which reply at the end
// of each search. It is collective and part of kernel 1.
func (e *Engine) queryLeaves() error {
	host := e.t.Host()
	counts, found, err := e.search.FindLeafQueries(host.Size())
	words := make([]uint64, found.Bytes()/8)
	if err == nil {
		err = cuda.Read(words, found, 0)
	}
	if err := comm.Agree(host, err); err != nil {
		return err
	}
	got, all, most, err := exchangeWords(host, counts, words)
	if err == nil {
		err = e.search.TakeLeafQueries(got, all, most)
	}
	return comm.Agree(host, err)
}
