// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"g500/bench"
	"g500/internal/output"
)

// printKernels prints a table of the times of GPU kernels, the longest first, if the backend has timed any.
func printKernels(w io.Writer, backend bench.Backend) error {
	if backend.KernelTimes == nil {
		return nil
	}
	times := backend.KernelTimes()
	if len(times) == 0 {
		return nil
	}
	slices.SortStableFunc(times, func(a, b bench.KernelTime) int { return cmp.Compare(b.Seconds, a.Seconds) })
	table := output.Table{Head: []string{"launches", "total ms", "mean us", "kernel"}, Named: true}
	for _, k := range times {
		total, mean := fmt.Sprintf("%.3f", k.Seconds*1e3), fmt.Sprintf("%.1f", k.Seconds*1e6/float64(k.Launches))
		table.Row(k.Launches, total, mean, k.Name)
	}
	_, err := io.WriteString(w, table.Text())
	return err
}
