// SPDX-License-Identifier: Apache-2.0

package record

import (
	"io"
	"strconv"
	"time"

	"g500/internal/output"
)

// WritePrometheus writes the figures of a run of any status as gauges, by kernel. Only a valid run has rates.
func (r *Run) WritePrometheus(w io.Writer) error {
	var m output.Metrics
	settled := r.settled()
	for _, k := range settled.Kernels {
		labels := r.labels(k)
		m.Flag("g500_run_valid", "1 if the last run was VALID.", settled.Status == Valid, labels...)
		if started, err := time.Parse(time.RFC3339, r.Environment.Started); err == nil {
			m.Gauge("g500_run_start_time_seconds", "Start of the last run since 1970.", float64(started.Unix()), labels...)
		}
		m.Gauge("g500_run_searches", "Finished searches.", float64(len(k.Searches)), labels...)
		m.Gauge("g500_run_generation_seconds", "Time of the generation of the graph.", r.GenerationSeconds, labels...)
		m.Gauge("g500_run_construction_seconds", "Time of kernel 1.", k.ConstructionSeconds, labels...)
		if s := k.Statistics.Seconds; s != nil {
			m.Gauge("g500_run_search_median_seconds", "Median time of a search.", s.Median, labels...)
			m.Gauge("g500_run_search_max_seconds", "Time of the slowest search.", s.Max, labels...)
		}
		if t := k.Statistics.TEPS; t != nil {
			m.Gauge("g500_run_harmonic_mean_teps", "Traversed edges per second, harmonic mean.", t.HarmonicMean, labels...)
			m.Gauge("g500_run_min_teps", "Traversed edges per second of the slowest search.", t.Min, labels...)
		}
	}
	return m.Write(w)
}

// labels returns the labels of a kernel's gauges: the settings that a rate depends on.
func (r *Run) labels(k KernelRun) []output.Label {
	graph := "official"
	if r.Graph != nil {
		graph = r.Graph.Spec
	}
	return []output.Label{{Name: "kernel", Value: string(k.Kernel)}, {Name: "engine", Value: r.Environment.Engine},
		{Name: "graph", Value: graph}, {Name: "scale", Value: strconv.Itoa(r.Scale)},
		{Name: "ranks", Value: strconv.Itoa(r.Ranks)}, {Name: "prune", Value: k.Pruning()}}
}
