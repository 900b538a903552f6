//go:build cuda && cgo

package kernel1

import (
	"testing"

	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
)

// Every kernel of a build is timed by its name, and as often as it is launched; when timing is off, none is.
func TestKernelsAreTimedByName(t *testing.T) {
	gputest.OnOne(t, func(tr device.Transport) error { checkKernelTimes(t, tr); return nil })
}

func checkKernelTimes(t *testing.T, tr device.Transport) {
	d := tr.Device()
	edges := make(graph.HostTuples, gputest.Official(10).Edges())
	gputest.Official(10).Fill(0, edges)
	given, err := OnDevice(d, edges)
	if err != nil {
		t.Fatal(err)
	}
	construct := func() map[string]cuda.KernelTime {
		g, err := buildWithin(tr, given, limits{work: 1 << 24})
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Free(); err != nil {
			t.Fatal(err)
		}
		times := map[string]cuda.KernelTime{}
		for _, k := range d.KernelTimes() {
			times[k.Name] = k
		}
		return times
	}
	defer d.TimeKernels(false)
	d.TimeKernels(true)
	construct()
	times := construct()
	for _, name := range []string{
		"find_vertices_kernel", "count_degrees_kernel", "sort_by_degree (CUB)", "store_rows_kernel",
	} {
		if k := times[name]; k.Launches != 2 || k.Nanoseconds <= 0 {
			t.Errorf("%s: %d launches, %d ns; want 2 launches that took time", name, k.Launches, k.Nanoseconds)
		}
	}
	d.TimeKernels(false)
	if times := construct(); len(times) > 0 {
		t.Errorf("timing is off, but there are times: %v", times)
	}
}
