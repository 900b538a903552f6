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
	table := output.NewTable(w)
	table.Named("launches", "total ms", "mean us", "kernel")
	for _, k := range times {
		fmt.Fprintf(table, "%d\t%.3f\t%.1f\t  %s\n", k.Launches, k.Seconds*1e3, k.Seconds*1e6/float64(k.Launches), k.Name)
	}
	return table.Flush()
}
