// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package validate

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/kernel1"
	"g500/graph"
	"g500/graph/engine"
	"g500/partition"
	"g500/validate"
)

// Validator validates trees and shortest paths on the devices of all ranks. Each rank checks its own vertices; tuples
// remain on their ranks.
type Validator struct {
	t      device.Transport
	tuples *kernel1.Tuples
	on     *cuda.Validator
	parts  cuda.ValidatorParts
	owned  int64
	label  int64            // bytes of a parent
	graph  partition.Layout // of its vertices

	marks     [2]*device.Window // vertices of a level, or reached vertices
	levels    *device.Window
	parents   *device.Window // of the vertices in reached, by rank; nil on one rank
	reached   *device.Window // vertices of the window with a parent; nil on one rank
	received  *device.Window // this rank's slice of every rank's Joined; nil on one rank
	distances *device.Window // nil on one rank and without weights
	owners    *owners        // nil if the levels of all ranks are stored; then the arrays before are not allocated
	closers   []func() error
}

// New returns a validator of results on a graph with the tuples of all ranks. It is collective.
func New(t device.Transport, vertices graph.Global, given graph.Tuples) (*Validator, error) {
	window := int64(DeviceWindow)
	if tuples, ok := given.(*kernel1.Tuples); ok && !tuples.InDevice() {
		window = SlowWindow
	}
	byOwners := ByOwners(int64(vertices), t.Host().Size())
	return newWithin(t, vertices, given, options{window, int64(vertices) > kernel1.MaxIDs32, byOwners})
}

// options choose how a validator works.
type options struct {
	window   int64 // vertices of all ranks whose parents are checked in one pass over the tuples
	labels64 bool  // parents have 64 bits in windows
	owners   bool  // messages to the owners of vertices replace windows; with labels64 only
}

// newWithin is New with options.
func newWithin(t device.Transport, vertices graph.Global, given graph.Tuples, o options) (*Validator, error) {
	tuples, err := kernel1.OnDevice(t.Device(), given)
	if err := comm.Agree(t.Host(), err); err != nil {
		return nil, err
	}
	ranks := int64(t.Host().Size())
	layout := partition.NewCyclic(vertices, int(ranks))
	v := &Validator{t: t, tuples: tuples, owned: int64(layout.Count(t.Host().Rank())), graph: layout}
	v.parts = cuda.ValidatorParts{
		Ranks: int(ranks), Rank: t.Host().Rank(), Vertices: int64(vertices), Labels64: o.labels64,
		Slice: grains(int64(vertices), ranks), Directed: given.Directed(),
	}
	v.parts.Span = v.parts.Slice
	if ranks > 1 {
		windows := (ranks*v.parts.Slice + o.window - 1) / o.window
		v.parts.Span = grains(v.parts.Slice, windows)
	}
	if v.label = kernel1.LabelBytes; v.parts.Labels64 {
		v.label = label64Bytes
	}
	if o.owners {
		err = v.prepareOwners()
	} else if err = comm.Agree(t.Host(), v.prepare()); err == nil {
		err = comm.Agree(t.Host(), v.sortTuples())
	}
	if err != nil {
		return nil, errors.Join(err, v.Close())
	}
	return v, nil
}

// grains returns n divided by parts, rounded up to the granularity of slices.
func grains(n, parts int64) int64 {
	places := max(1, (n+parts-1)/parts)
	return (places + cuda.ValidatorGrain - 1) / cuda.ValidatorGrain * cuda.ValidatorGrain
}

// prepare allocates the memory and checks the labels.
func (v *Validator) prepare() (err error) {
	p := &v.parts
	ranks := int64(p.Ranks)
	v.marks[0] = v.window("level", ranks*p.Slice/8, &err)
	v.marks[1] = v.window("next level", ranks*p.Slice/8, &err)
	v.levels = v.window("levels", ranks*p.Slice/2, &err)
	if ranks > 1 {
		v.parents = v.window("parents", ranks*p.Span*v.label, &err)
		v.reached = v.window("vertices with parents", ranks*p.Span/8, &err)
		v.received = v.window("tree edges of all ranks", ranks*p.Span/8, &err)
	}
	if ranks > 1 && v.tuples.Weighted {
		v.distances = v.window("distances", ranks*p.Slice*DistanceBytes, &err)
	}
	p.Inner = v.buffer("inner vertices", p.Slice/8, &err)
	p.Leaves = v.buffer("leaves", p.Slice/8, &err)
	if !p.Labels64 {
		p.Near = v.buffer("near levels", ranks*p.Slice/4, &err)
	}
	p.Hints = v.buffer("hints at parents", ranks*p.Span, &err)
	p.Joined = v.buffer("tree edges", ranks*p.Span/8, &err)
	if err != nil {
		return err
	}
	p.Marks, p.Levels = [2]cuda.Memory{v.marks[0].Memory, v.marks[1].Memory}, v.levels.Memory
	if ranks > 1 {
		p.Parents, p.Reached = v.parents.Memory, v.reached.Memory
	}
	if v.distances != nil {
		p.Distances = v.distances.Memory
	}
	if v.on, err = v.t.Device().NewValidator(*p); err != nil {
		return err
	}
	v.closers = append(v.closers, v.on.Free)
	return v.checkLabels()
}

// checkLabels checks that the labels of all tuples are vertices.
func (v *Validator) checkLabels() error {
	worst, other := cuda.NoOffence, cuda.NoOffence
	err := v.tuples.Each(kernel1.Format{}, func(tuples, _ cuda.Memory) error {
		found, err := v.on.CheckLabels(tuples)
		worst, other = found.Worst[0], found.Other[0]
		return err
	})
	if err == nil && worst != cuda.NoOffence {
		err = fmt.Errorf("gpu: edge tuple <%d, %d> is outside the graph; labels are 0 to %d",
			worst, other, v.parts.Vertices-1)
	}
	return err
}

// sortTuples sorts the tuples in the free memory of the device, for locality. It is collective.
func (v *Validator) sortTuples() error {
	free, err := device.Free(v.t)
	if err != nil || v.parts.Labels64 {
		return err
	}
	return v.tuples.Sort(max(1, bits.Len64(uint64(v.parts.Vertices-1))), max(free-kernel1.Spare, leastSorted))
}

// each calls body with all tuples in the format of the steps.
func (v *Validator) each(weighted bool, body func(tuples, weights cuda.Memory) error) error {
	return v.tuples.Each(kernel1.Format{Weighted: weighted, Packed: !v.parts.Labels64}, body)
}

// window opens a window, unless there was an error before. All ranks open the same windows.
func (v *Validator) window(label string, bytes int64, err *error) *device.Window {
	if *err != nil {
		return nil
	}
	var w *device.Window
	if w, *err = v.t.Open(label, bytes); *err == nil {
		v.closers = append(v.closers, w.Close)
	}
	return w
}

// buffer allocates memory that other ranks do not access.
func (v *Validator) buffer(label string, bytes int64, err *error) cuda.Memory {
	if *err != nil {
		return cuda.Memory{}
	}
	var b *cuda.Buffer
	if b, *err = v.t.Device().Alloc(label, bytes); *err != nil {
		return cuda.Memory{}
	}
	v.closers = append(v.closers, b.Free)
	return b.Memory
}

// Close frees the memory.
func (v *Validator) Close() error {
	var faults []error
	for ; len(v.closers) > 0; v.closers = v.closers[:len(v.closers)-1] {
		faults = append(faults, v.closers[len(v.closers)-1]())
	}
	return errors.Join(faults...)
}

// Validate validates a result of a GPU engine.
func (v *Validator) Validate(root graph.Global, result engine.Result) (validate.Verdict, error) {
	r := &run{Validator: v, result: result.(device.Result)}
	switch {
	case r.result.Distances != nil:
		return r.validatePaths(root)
	case v.owners != nil:
		return r.validateByOwners(root)
	}
	return r.validateTree(root)
}

// The rules have the same numbers here and on devices: else this does not compile.
var _ = [1]struct{}{}[validate.ErrPathEdge+1-cuda.Rules]

// firstFault returns the fault of the first broken rule, or nil. found has the findings of all ranks. It is collective.
func (r *run) firstFault(found cuda.Findings) (*validate.Fault, error) {
	for rule := validate.ErrRange; rule < cuda.Rules; rule++ {
		if worst := found.Worst[rule]; worst != cuda.NoOffence {
			return r.fault(rule, graph.Global(worst), graph.Global(found.Other[rule]))
		}
	}
	return nil, nil
}

// fault returns the fault of a broken rule. It is collective.
func (r *run) fault(rule validate.Rule, vertex, other graph.Global) (*validate.Fault, error) {
	if rule != validate.ErrDistance {
		return validate.NewFault(rule, vertex, other, r.parts.Directed), nil
	}
	var err error
	distance := []uint32{0} // the bits of the vertex's distance, which its owner reads
	if r.graph.Owner(vertex) == r.parts.Rank {
		err = cuda.Read(distance, *r.result.Distances, int64(r.graph.Local(vertex)))
	}
	bits, err := comm.ReduceAgreed(r.t.Host(), int64(distance[0]), comm.Sum, err)
	return validate.NewDistanceFault(vertex, other, math.Float32frombits(uint32(bits))), err
}
