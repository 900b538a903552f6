// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package main

import (
	"cmp"
	"errors"
	"fmt"

	"g500/analysis/net"
	"g500/bench"
	"g500/comm"
	"g500/cuda"
	"g500/gpu"
	"g500/gpu/device"
	"g500/internal/lists"
	"g500/record"
	"g500/settings"
)

// gpuEngines are the engines of the GPU program.
var gpuEngines = []engineChoice{{settings.GPU, func(t comm.Transport, cfg record.Config, _ int) (bench.Backend, error) {
	return gpu.NewBackend(t, cfg)
}}}

// gpuLinks returns a transport between this rank's GPU and the others, to be measured.
func gpuLinks(t comm.Transport, transport string, bytes int64) (gpuTransport, error) {
	l, err := device.NewLinks(t, transport, bytes)
	return links{l}, err
}

type links struct{ *device.Links }

func (l links) OpenLevels(transport string, bytes int64) (net.Levels, error) {
	return l.Levels(transport, bytes)
}

// gpuPaths joins the ranks' GPUs as a run does, and returns a description of the paths between them, or the reason why
// a run would end, and the bus id of this rank's GPU. It is collective.
func gpuPaths(t comm.Transport) (paths, busID string, err error) {
	joined, err := device.Open(t, settings.Default().Machine.GPUTransport)
	var agreed *comm.RankError
	if errors.As(err, &agreed) {
		return fmt.Sprintf("none, a run ends: %v", agreed), "", nil
	}
	if err != nil {
		return "", "", err
	}
	paths = cmp.Or(joined.Choice(), joined.Describe())
	return paths, joined.Device().BusID, errors.Join(joined.Barrier(), joined.Close(), joined.Device().Close())
}

// toGPUProgram returns nil: this is the GPU program.
func toGPUProgram(record.Config) error { return nil }

// gpuBuild describes the build of the kernels.
func gpuBuild() string { return cuda.Built() }

// gpuUnbuilt returns nil: this program has engine gpu.
func gpuUnbuilt() error { return nil }

// gpus returns the GPUs of this node.
func gpus() (f gpuFacts) {
	lines, err := gpu.Describe()
	if f.Lines = lines; err != nil {
		return gpuFacts{Lines: []string{err.Error()}, Unknown: err.Error()}
	}
	cards, err := cuda.Cards()
	f.Memories = lists.Of(cards, func(c cuda.Card) int64 { return c.Memory })
	apart, fault := cuda.Apart()
	f.Apart = lists.Of(apart, func(pair [2]int) string { return fmt.Sprintf("%d-%d", pair[0], pair[1]) })
	if err = cmp.Or(err, fault); err != nil {
		f.Unknown = err.Error()
	}
	return f
}
