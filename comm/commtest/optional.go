// SPDX-License-Identifier: Apache-2.0

package commtest

import (
	"slices"

	"g500/comm"
)

// recording is a transport with all optional interfaces. called has the names of the called methods.
type recording struct {
	comm.Transport
	called []string
}

func (r *recording) Release()             { r.called = append(r.called, "Release") }
func (r *recording) Advance(int64, int64) { r.called = append(r.called, "Advance") }
func (r *recording) CountAs(string)       { r.called = append(r.called, "CountAs") }

// Hidden returns the optional methods of a transport that a wrapper hides, except those in own, which the wrapper
// implements itself.
func Hidden(t comm.Transport, wrap func(comm.Transport) comm.Transport, own ...string) (hidden []string) {
	inner := &recording{Transport: t}
	outer := wrap(inner)
	comm.Release(outer)
	comm.Advance(outer, 1, 2)
	comm.CountAs(outer, "payload")
	for _, name := range []string{"Release", "Advance", "CountAs"} {
		if !slices.Contains(inner.called, name) && !slices.Contains(own, name) {
			hidden = append(hidden, name)
		}
	}
	return hidden
}
