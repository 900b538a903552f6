// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package gpu

import (
	"context"
	"errors"
	"fmt"

	"g500/bench"
	"g500/comm"
	"g500/cuda"
	gpubfs "g500/gpu/bfs"
	"g500/gpu/device"
	"g500/gpu/kernel1"
	gpusssp "g500/gpu/sssp"
	gpuvalidate "g500/gpu/validate"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/lists"
	"g500/internal/machine"
	"g500/internal/power"
	"g500/kronecker"
	"g500/partition"
	"g500/record"
	"g500/settings"
	"g500/sssp"
)

// backend is the state behind the functions of a bench.Backend.
type backend struct {
	config      record.Config
	t           device.Transport
	device      *cuda.Device
	packed      bool // rows, by plan
	budget      bench.Budget
	atomicPeers bool                     // device.AtomicPeers
	storage     kernel1.Storage          // of tuples
	order       *kernel1.Order           // shared by the graphs of both kernels; nil for one kernel
	validators  []*gpuvalidate.Validator // closed with the backend
}

// NewBackend opens the GPU of this rank, joins it with the other ranks' GPUs, and returns the backend of a run with a
// checked configuration. It is collective. The backend belongs to the calling goroutine, which is locked to its thread
// until the backend is closed.
func NewBackend(t comm.Transport, c record.Config) (bench.Backend, error) {
	joined, err := device.Open(t, c.Machine.GPUTransport)
	if err != nil {
		return bench.Backend{}, err
	}
	b := &backend{config: c, t: joined, device: joined.Device()}
	if len(record.Kernels(c.Search.Kernel)) > 1 {
		b.order = &kernel1.Order{}
	}
	if err := b.survey(); err != nil {
		return bench.Backend{}, errors.Join(err, joined.Close(), b.device.Close())
	}
	return b.functions(), nil
}

// survey finds the properties of the joined devices. It is collective.
func (b *backend) survey() (err error) {
	if err := device.TryConcurrency(b.t); err != nil {
		return err
	}
	if b.budget, err = budgetOf(b.t); err != nil {
		return err
	}
	b.atomicPeers, err = device.AtomicPeers(b.t)
	return err
}

// functions returns the properties and functions of the backend.
func (b *backend) functions() bench.Backend {
	all := Planner(b.config, b.atomicPeers)
	all.Device, all.Card = describe(b.device, b.t), fmt.Sprintf("GPU %d at %s", b.device.Number, b.device.BusID)
	all.Note, all.SharesOrder = b.t.Choice(), true
	all.Generate, all.Read, all.Kernel1, all.NewValidator = b.generate, b.read, b.kernel1, b.newValidator
	all.Paths, all.Meters = b.pathsKernel1, b.meters
	all.Use, all.Budget, all.Close = b.use, func() bench.Budget { return b.budget }, b.close
	all.TimeKernels, all.KernelTimes = func() { b.device.TimeKernels(true) }, b.device.KernelTimes
	return all
}

// meters opens the power meters of the GPU and, if they are readable, of the node's processors.
func (b *backend) meters() ([]power.Meter, error) {
	card, err := power.NVML(b.device.BusID)
	if err != nil {
		return nil, err
	}
	meters := []power.Meter{card}
	if processors, err := power.RAPL(power.Powercap); err == nil {
		meters = append(meters, processors)
	}
	return meters, nil
}

// use selects the plan's memory. The validator allocates its memory after kernel 1, which may use it until then.
func (b *backend) use(plan bench.Plan) {
	b.packed = plan.Packed
	if b.storage = (kernel1.Storage{}); plan.EdgeMemory != settings.InDevice {
		// only official graphs have labels over 32 bits
		long := b.config.Graph.Spec == "" && hasLongLabels(b.config.Params())
		b.storage = kernel1.Storage{Staged: stagedTuples, Generated: plan.EdgeMemory == settings.Generated, Long: long}
	}
	if b.order != nil {
		b.order.Spare = b.budget.Bytes - plan.Tuples - plan.Engine
	}
}

func (b *backend) generate(ctx context.Context, p kronecker.Params, s graph.Range, advance func(int64)) (graph.Tuples,
	error) {
	return b.tuples(s, func(t *kernel1.Tuples) error { return t.Generate(ctx, p, s.First, advance) })
}

func (b *backend) read(ctx context.Context, s graph.Range, from graph.TupleReader, advance func(int64)) (graph.Tuples,
	error) {
	return b.tuples(s, func(t *kernel1.Tuples) error { return t.Read(ctx, from, advance) })
}

// tuples allocates the tuples of a share in the memory that the plan selects, and fills them.
func (b *backend) tuples(s graph.Range, fill func(*kernel1.Tuples) error) (graph.Tuples, error) {
	t, err := kernel1.Reserve(b.device, s, b.storage)
	if err == nil {
		err = fill(t)
	}
	return t, err
}

func (b *backend) kernel1(_ comm.Transport, given graph.Tuples) (engine.Engine, error) {
	o := gpubfs.DefaultOptions()
	o.Exchange, o.Policy = b.config.Search.Exchange, b.config.Policy
	o.Bits, o.Labels64, o.Order = b.config.Search.ResultBits, b.config.Search.IDs64, b.order
	o.Packed = b.packed
	return gpubfs.New(b.t, given, o)
}

func (b *backend) pathsKernel1(_ comm.Transport, given graph.Tuples, prune sssp.Pruning) (engine.Engine, error) {
	return gpusssp.New(b.t, given, gpusssp.Options{Policy: b.config.Policy, Prune: prune, Order: b.order})
}

func (b *backend) newValidator(_ comm.Transport, layout partition.Layout, given graph.Tuples) (bench.Validator, error) {
	v, err := gpuvalidate.New(b.t, layout.Vertices(), given)
	if err == nil {
		b.validators = append(b.validators, v)
	}
	return v, err
}

// close closes the validators, the transport and the device. It is collective.
func (b *backend) close() error {
	faults := lists.Of(b.validators, (*gpuvalidate.Validator).Close)
	return errors.Join(append(faults, b.t.Barrier(), b.t.Close(), b.device.Close())...)
}

// describe returns the record of a rank's device.
func describe(d *cuda.Device, t device.Transport) *record.Device {
	return &record.Device{
		Number: d.Number, Name: d.Name, Processors: d.Processors, Capability: fmt.Sprintf("%d.%d", d.Major, d.Minor),
		Driver: cuda.Driver(), Built: cuda.Built(), Transports: t.Describe(), NoPrelaunch: d.Launching().String(),
	}
}

// budgetOf returns this rank's share of the free memory of its GPU. It is collective.
func budgetOf(t device.Transport) (bench.Budget, error) {
	free, err := device.Free(t)
	if err != nil {
		return bench.Budget{}, err
	}
	d := t.Device()
	budget := bench.Budget{Bytes: free, Holder: fmt.Sprintf("GPU %d (%s)", d.Number, d.Name), Sharers: t.Sharers()}
	return budget, t.Barrier()
}

// Describe returns a line for each GPU, with the largest scale of a run with the default settings that fits into its
// memory and, for edge tuples, into the free host memory; and a line about NCCL.
func Describe() ([]string, error) {
	cards, err := cuda.Cards()
	if err != nil {
		return nil, err
	}
	lines := []string{fmt.Sprintf("%d, driver for %s", len(cards), cuda.Driver())}
	budgets, others := bench.Budgets{Host: machine.ProcessMemory()}, []string(nil)
	for _, card := range cards {
		var largest int
		budgets.Backend = card.Memory
		largest, others = largestScales(budgets)
		lines = append(lines, fmt.Sprintf("%v, %s, up to scale %d", card, bench.Bytes(card.Memory), largest))
	}
	lines = append(lines, others...) // of the last one
	return append(lines, device.DescribeNCCL()), nil
}
