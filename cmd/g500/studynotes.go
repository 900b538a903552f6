// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os/exec"

	"g500/analysis/collect"
	"g500/analysis/scale"
	"g500/internal/machine"
)

// studyNotes returns sentences about the runs of a study before they begin: their threads, and which of them will be in
// no table or will fail. onGPUs reports whether the runs request GPUs.
func studyNotes(s scale.Study, onGPUs bool) (notes []string) {
	cores, sizes := machine.Cores(), s.Sizes()
	most := sizes[len(sizes)-1]
	local := len(s.Launch) == 0
	if len(sizes) < 2 {
		notes = append(notes, fmt.Sprintf("note: with one number of %s the study has no efficiency: add another one",
			s.Axis()))
	}
	if s.Threads > 0 {
		notes = append(notes, fmt.Sprintf("each rank of each run has %s, on %s; threads = N in the study sets another number",
			collect.Count(s.Threads, "thread"), collect.Count(cores, "core")))
	}
	switch {
	case s.Axis() == scale.Cores && local && most > cores:
		notes = append(notes, fmt.Sprintf("note: this node has %s, so more threads do not show how the program scales",
			collect.Count(cores, "core")))
	case local && s.Threads > 0 && most*s.Threads > cores:
		notes = append(notes, fmt.Sprintf("note: %s of %s share %s, so their rates do not show how the program scales",
			collect.Count(most, "rank"), collect.Count(s.Threads, "thread"), collect.Count(cores, "core")))
	case onGPUs && local:
		if n := len(gpus().Memories); n > 0 && n < most {
			notes = append(notes, fmt.Sprintf("note: this node has %s: ranks that share one do not show how the program scales",
				collect.Count(n, "GPU")))
		}
	case !local && !s.SetsThreads() && !onGPUs:
		notes = append(notes, "note: runs on CPUs whose launch gives unlike threads to a rank are in no table: set threads")
	}
	return notes
}

// cannotStart returns the reason why no run with this engine and launcher can begin, nil if it can. Nodes of a launcher
// may have GPUs that this one lacks.
func cannotStart(engine string, launch []string) error {
	if len(launch) > 0 {
		if _, err := exec.LookPath(launch[0]); err != nil {
			return fmt.Errorf("launch needs a program that is not there: install it, or correct launch in the study: %w", err)
		}
	}
	if engine != gpuEngine {
		return nil
	}
	if unknown := gpus().Unknown; unknown != "" && len(launch) == 0 {
		return errors.New(unknown)
	}
	return gpuUnbuilt()
}
