//go:build cuda && cgo

package validate

import (
	"errors"
	"fmt"

	"g500/bfs"
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/kernel1"
	"g500/graph"
	"g500/partition"
	"g500/sssp"
	"g500/validate"
)

// Validator checks trees and shortest paths where they lie, on the devices of all ranks, which exchange their findings
// about their own vertices. Tuples stay where they are.
type Validator struct {
	t      device.Transport
	tuples *kernel1.Tuples
	on     *cuda.Validator
	parts  cuda.ValidatorParts
	owned  int64
	label  int64            // bytes of one, as the judge has parents
	graph  partition.Layout // of its vertices

	marks    [2]*device.Window // a level, or who was reached
	levels   *device.Window
	parents  *device.Window // nil with one rank, which has them all
	received *device.Window // this rank's slice of what every rank has joined; nil with one rank
	// distances are those of all ranks; nil with one rank, and where tuples have no weights
	distances *device.Window
	closers   []func() error
}

// New prepares the tuples of all ranks for checking trees. It is collective.
func New(t device.Transport, vertices graph.Global, given graph.Tuples) (*Validator, error) {
	window := int64(DeviceWindow)
	if tuples, ok := given.(*kernel1.Tuples); ok && tuples.InHost() {
		window = HostWindow
	}
	return newWithin(t, vertices, given, options{window, int64(vertices) > kernel1.MaxNarrow})
}

// options are how a judge works.
type options struct {
	window int64 // vertices whose parents are looked at at a time
	wide   bool  // labels have 64 bits
}

// newWithin is newJudge with options.
func newWithin(t device.Transport, vertices graph.Global, given graph.Tuples, o options) (*Validator, error) {
	tuples, err := kernel1.OnDevice(t.Device(), given)
	if err := comm.Agree(t.Host(), err); err != nil {
		return nil, err
	}
	ranks := int64(t.Host().Size())
	layout := partition.NewCyclic(vertices, int(ranks))
	j := &Validator{t: t, tuples: tuples, owned: int64(layout.Count(t.Host().Rank())), graph: layout}
	j.parts = cuda.ValidatorParts{
		Ranks: int(ranks), Rank: t.Host().Rank(), Vertices: int64(vertices), Wide: o.wide,
		Slice: grains(int64(vertices), ranks),
	}
	j.parts.Span = j.parts.Slice
	if ranks > 1 {
		windows := (ranks*j.parts.Slice + o.window - 1) / o.window
		j.parts.Span = grains(j.parts.Slice, windows)
	}
	if j.label = kernel1.LabelBytes; j.parts.Wide {
		j.label = wideLabelBytes
	}
	err = j.prepare()
	if err := comm.Agree(t.Host(), err); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// grains is n divided by parts, rounded up to what slices are made of.
func grains(n, parts int64) int64 {
	places := max(1, (n+parts-1)/parts)
	return (places + cuda.ValidatorGrain - 1) / cuda.ValidatorGrain * cuda.ValidatorGrain
}

// prepare takes the memory, and checks that the labels of all tuples are vertices.
func (j *Validator) prepare() (err error) {
	p := &j.parts
	ranks := int64(p.Ranks)
	j.marks[0] = j.window("level", ranks*p.Slice/8, &err)
	j.marks[1] = j.window("next level", ranks*p.Slice/8, &err)
	j.levels = j.window("levels", ranks*p.Slice/2, &err)
	if ranks > 1 {
		j.parents = j.window("parents", ranks*p.Span*j.label, &err)
		j.received = j.window("tree edges of all ranks", ranks*p.Span/8, &err)
	}
	if ranks > 1 && j.tuples.Weighted {
		j.distances = j.window("distances", ranks*p.Slice*DistanceBytes, &err)
	}
	p.Waiting = j.buffer("open vertices", p.Slice/8, &err)
	p.Joined = j.buffer("tree edges", ranks*p.Span/8, &err)
	if err != nil {
		return err
	}
	p.Marks, p.Levels = [2]cuda.Memory{j.marks[0].Memory, j.marks[1].Memory}, j.levels.Memory
	if ranks > 1 {
		p.Parents = j.parents.Memory
	}
	if j.distances != nil {
		p.Distances = j.distances.Memory
	}
	if j.on, err = j.t.Device().NewValidator(*p); err != nil {
		return err
	}
	j.closers = append(j.closers, j.on.Free)
	worst, other := cuda.NoOffence, cuda.NoOffence
	err = j.tuples.Each(func(piece cuda.Memory) error {
		found, err := j.on.CheckLabels(piece)
		worst, other = found.Worst[0], found.Other[0]
		return err
	})
	if err == nil && worst != cuda.NoOffence {
		err = fmt.Errorf("gpu: edge tuple <%d, %d> is outside the graph; labels are 0 to %d",
			worst, other, p.Vertices-1)
	}
	return err
}

// window takes a window, unless there was an error before. All ranks ask for the same, and fail alike.
func (j *Validator) window(label string, bytes int64, err *error) *device.Window {
	if *err != nil {
		return nil
	}
	var w *device.Window
	if w, *err = j.t.Open(label, bytes); *err == nil {
		j.closers = append(j.closers, w.Close)
	}
	return w
}

// buffer takes memory of this rank alone.
func (j *Validator) buffer(label string, bytes int64, err *error) cuda.Memory {
	if *err != nil {
		return cuda.Memory{}
	}
	var b *cuda.Buffer
	if b, *err = j.t.Device().Alloc(label, bytes); *err != nil {
		return cuda.Memory{}
	}
	j.closers = append(j.closers, b.Free)
	return b.Memory
}

// Close gives the memory back.
func (j *Validator) Close() error {
	var faults []error
	for ; len(j.closers) > 0; j.closers = j.closers[:len(j.closers)-1] {
		faults = append(faults, j.closers[len(j.closers)-1]())
	}
	return errors.Join(faults...)
}

// Tree judges a tree of the GPU engine.
func (j *Validator) Tree(root graph.Global, result bfs.Tree) (validate.Verdict, error) {
	t, ok := result.(device.Tree)
	if !ok {
		return validate.Verdict{}, fmt.Errorf("gpu: the judge takes trees of the GPU engine, not %T", result)
	}
	if err := j.isTree(root, t); err != nil {
		return validate.Verdict{}, err
	}
	return j.tryTree(root, t)
}

// Paths judges shortest paths of the GPU engine.
func (j *Validator) Paths(root graph.Global, result sssp.Paths) (validate.Verdict, error) {
	p, ok := result.(device.Paths)
	if !ok {
		return validate.Verdict{}, fmt.Errorf("gpu: the judge takes shortest paths of the GPU engine, not %T", result)
	}
	if err := errors.Join(j.isTree(root, p.Tree), j.tuples.CheckWeighted()); err != nil {
		return validate.Verdict{}, err
	}
	return j.tryPaths(root, p)
}

// isTree refuses what cannot be a tree of this graph.
func (j *Validator) isTree(root graph.Global, t device.Tree) error {
	if root < 0 || int64(root) >= j.parts.Vertices {
		return fmt.Errorf("gpu: the root %d is not a vertex; labels are 0 to %d", root, j.parts.Vertices-1)
	}
	if t.Vertices != j.owned {
		return fmt.Errorf("gpu: %d parents for the %d vertices of rank %d", t.Vertices, j.owned, j.parts.Rank)
	}
	return nil
}
