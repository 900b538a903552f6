// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"g500/comm"
	"g500/internal/machine"
)

// examineGPUs describes the transport between the GPUs of a run on these ranks, "" for one rank or without GPUs, and
// returns the GPUs of this rank's node that are on another socket than all network adapters or their rank's cores.
// noGPU is the reason why this process cannot use a GPU. It is collective.
func examineGPUs(t comm.Transport, noGPU error) (paths string, far []machine.Diagnosis, err error) {
	if text := farFromNetwork(); text != "" {
		far = append(far, machine.Diagnosis{Cause: machine.GPUNetwork, Text: text})
	}
	if t.Size() == 1 {
		return "", far, nil
	}
	engine, paths, err := chooseEngine(t, "auto", noGPU)
	if err != nil || engine.name != gpuEngine {
		return paths, far, err
	}
	paths, gpu, err := gpuPaths(t)
	if err != nil {
		return "", nil, err
	}
	cores, err := gpuCores(t, gpu)
	return paths, append(far, cores...), err
}

// gpuCores returns the GPUs of this rank's node that are on another socket than the cores of their ranks. gpu is the
// bus id of this rank's GPU. It is collective.
func gpuCores(t comm.Transport, gpu string) (far []machine.Diagnosis, err error) {
	texts, err := comm.AllGatherTexts(t, farFromCores(gpu))
	nodes := t.Nodes()
	for r, text := range texts {
		if text != "" && nodes[r] == nodes[t.Rank()] {
			far = append(far, machine.Diagnosis{Cause: machine.GPUCores, Text: fmt.Sprintf("rank %d: %s", r, text)})
		}
	}
	return far, err
}

// Tests replace these.
var (
	farFromNetwork = machine.FarFromNetwork
	farFromCores   = machine.FarFromCores
)
