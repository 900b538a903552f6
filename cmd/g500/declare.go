// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"g500/comm/agreement"
	"g500/graph"
	"g500/internal/machine"
	"g500/internal/output"
	"g500/record"
	"g500/settings"
)

// declare returns the declaration of this process: the command, the program and the settings that must be the same on
// all ranks.
func declare(command string, settings ...agreement.Setting) agreement.Declaration {
	const install = "install the same program on all nodes"
	return agreement.Declaration{
		Node: machine.Node(),
		Settings: append([]agreement.Setting{
			{Name: "the command", Value: command},
			{Name: "the program", Value: programVersion().String(), Cure: install},
			{Name: "the GPU program", Value: gpuKernels(), Optional: true, Cure: install},
		}, settings...),
	}
}

// declaredSettings returns the settings of a configuration that must be the same on all ranks.
func declaredSettings(cfg record.Config) (all []agreement.Setting) {
	for _, s := range settings.Table {
		if !s.PerRank {
			all = append(all, agreement.Setting{Name: s.Key, Value: s.Text(&cfg)})
		}
	}
	return all
}

// declaredFiles returns the files of a configuration that all ranks read. Only rank 0 reads graph files and roots.
func declaredFiles(cfg record.Config) (files []agreement.File) {
	if path := cfg.Graph.Edges; path != "" {
		files = append(files, agreement.Look("the edge file", path))
		if slices.Contains(record.Kernels(cfg.Search.Kernel), record.SSSP) {
			files = append(files, agreement.Look("the file of weights", graph.WeightsPath(path)))
		}
	}
	return files
}

// declare returns the declaration of a run.
func (j *job) declare() agreement.Declaration {
	d := declare("run", append(declaredSettings(j.cfg),
		agreement.Setting{Name: "the run to resume", Value: resumed(j.earlier), Cure: "all ranks must read the same folder"},
	)...)
	d.Files = declaredFiles(j.cfg)
	return d
}

// resumed describes the run to resume as this process has read it, "" for a new run. A node that reads an older
// state of the folder would search from other keys.
func resumed(earlier *record.Run) string {
	if earlier == nil {
		return ""
	}
	text, _ := output.JSONLine(earlier.Kernels)
	sum := sha256.Sum256(text)
	return fmt.Sprintf("one with %d searches (digest %s)", earlier.Done(), hex.EncodeToString(sum[:4]))
}
