// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package sssp

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"g500/comm"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/gpu/kernel1"
	"g500/graph"
	"g500/internal/trace"
	"g500/policy"
	"g500/sssp"
)

var (
	pathScale    = flag.Int("paths-scale", 20, "scale of the benchmark of shortest paths")
	pathPrune    = flag.String("paths-prune", "none", "none or hub")
	pathPolicies = flag.String("paths-policies", "", "policies to compare, as sssp_window=1000:sssp_sweeps=1,...")
)

// BenchmarkShortestPaths searches an official graph from its first keys with several policies, and reports the time of
// each step in microseconds per search:
//
//	go test -tags cuda -run '^$' -bench ShortestPaths -benchtime 64x ./gpu/sssp -paths-scale 24
func BenchmarkShortestPaths(b *testing.B) {
	p := gputest.Official(*pathScale)
	gputest.OnRanks(b, comm.Loopback, 1, func(host comm.Transport) {
		gputest.Joined(host, device.AutoTransport, func(tr device.Transport) {
			given := gputest.Must(kernel1.Reserve(tr.Device(), graph.Range{Count: p.Edges(), Weighted: true}, kernel1.Storage{}))
			gputest.Check(given.Generate(b.Context(), p, 0, func(int64) {}))
			began := time.Now()
			e := gputest.Must(New(tr, given, Options{Policy: policy.Default(), Prune: sssp.Pruning(*pathPrune)}))
			gputest.Check(given.Free())
			b.Logf("kernel 1: %v", time.Since(began))
			var keys []graph.Global
			for i := int64(0); len(keys) < 64; i++ {
				if v := p.KeyCandidate(i); v < e.Layout().Vertices() && e.HasEdge(graph.Local(v)) {
					keys = append(keys, v)
				}
			}
			for _, changes := range strings.Split(*pathPolicies, ",") {
				gputest.Check(e.search.Free())
				e.search = gputest.Must(e.graph.NewPaths(policyOf(changes), 1, e.levels))
				b.Run(changes, func(b *testing.B) { benchmarkPaths(b, e, keys) })
			}
			gputest.Check(e.Close())
		})
	})
}

// policyOf returns the default policy with the changes in a text such as sssp_window=1000:sssp_sweeps=1.
func policyOf(text string) policy.Policy {
	p := policy.Default()
	for _, pair := range strings.FieldsFunc(text, func(r rune) bool { return r == ':' }) {
		key, value, _ := strings.Cut(pair, "=")
		gputest.Check(p.Set(key, gputest.Must(strconv.ParseInt(value, 10, 64))))
	}
	return p
}

func benchmarkPaths(b *testing.B, e *Engine, keys []graph.Global) {
	defer gputest.Fatal(b)
	sums := map[string]trace.Step{}
	var slowest time.Duration
	gputest.Must(e.Search(keys[0]))
	for i := 0; i < b.N; i++ {
		b.StartTimer()
		began := time.Now()
		_, err := e.Search(keys[i%len(keys)])
		slowest = max(slowest, time.Since(began))
		b.StopTimer()
		gputest.Check(err)
		for _, s := range gputest.Must(e.Trace()) {
			sum := sums[s.Name]
			sums[s.Name] = trace.Step{Name: s.Name, Frontier: sum.Frontier + s.Frontier, Edges: sum.Edges + s.Edges,
				Nanoseconds: sum.Nanoseconds + s.Nanoseconds}
		}
	}
	for _, s := range sums {
		name := strings.ReplaceAll(s.Name, " ", "-")
		for unit, sum := range map[string]int64{"vertices": s.Frontier, "edges": s.Edges} {
			if sum > 0 {
				b.ReportMetric(float64(sum)/float64(b.N), fmt.Sprintf("%s-%s", name, unit))
			}
		}
		b.ReportMetric(float64(s.Nanoseconds)/1e3/float64(b.N), name+"-us")
	}
	b.ReportMetric(float64(slowest.Microseconds()), "slowest-us")
}
