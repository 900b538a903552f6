// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import "g500/internal/trace"

// stepOf returns the name and the variant of the step with this number (cuda/search/step.h).
func stepOf(number C.uint32_t) trace.Step {
	if number == C.G500_WRITE_RESULT {
		return trace.Step{Name: trace.ResultOrderStep}
	}
	variant := C.GoString(C.g500_step_name(number))
	if C.g500_step_direction(number) == C.G500_BOTTOM_UP {
		return trace.Step{Name: trace.BottomUpStep, Variant: variant}
	}
	return trace.Step{Name: trace.TopDownStep, Variant: variant}
}

// mostLevels bounds the levels of a trace.
const mostLevels = 1024

// Trace returns the steps of the last search, at most the first mostLevels.
func (s *Search) Trace() ([]trace.Step, error) {
	levels := make([]C.g500_level, mostLevels)
	var n C.int
	code := C.g500_search_trace(s.c, &levels[0], mostLevels, &n, s.device.onStream())
	if err := check("reading the trace", code); err != nil {
		return nil, err
	}
	all, by := make([]trace.Step, n), trace.PeerTransport
	if s.exchanges != nil {
		by = s.exchanges.Transport()
	}
	for i, l := range levels[:n] {
		step := stepOf(l.step)
		step.Frontier, step.Edges = int64(l.frontier), int64(l.edges)
		step.Nanoseconds, step.Exchange, step.Wait = int64(l.nanoseconds), int64(l.exchange), int64(l.wait)
		step.Compute = step.Nanoseconds - step.Exchange - step.Wait
		step.Traffic = trafficOf(l, by)
		all[i] = step
	}
	return all, nil
}

// trafficOf lists what a rank sent and received in a level, to and from other ranks by a transport.
func trafficOf(l C.g500_level, by string) (all []trace.Traffic) {
	const pairBytes = 8
	for _, moved := range []struct {
		payload string
		counted C.g500_traffic
		bytes   int64 // of each that is counted
	}{
		{trace.BitmapPayload, l.words, wordBytes},
		{trace.BinsPayload, l.pairs, pairBytes},
		{trace.RowsPayload, l.edges_read, wordBytes},
	} {
		sent, received := int64(moved.counted.sent), int64(moved.counted.received)
		if sent+received > 0 {
			all = append(all, trace.Traffic{
				Payload: moved.payload, Transport: by, Sent: moved.bytes * sent,
				Received: moved.bytes * received,
			})
		}
	}
	return all
}

// mostKernels is the largest number of kernels with their own times.
const mostKernels = 64

// TimeKernels turns the timing of kernels on or off, and drops earlier times. While it is on, this rank waits for each
// kernel, which makes everything slower.
func (d *Device) TimeKernels(on bool) { C.g500_time_kernels(yes(on), d.onStream()) }

// KernelTimes returns the times of kernels in the order of their first launches.
func (d *Device) KernelTimes() []trace.KernelTime {
	var c [mostKernels]C.g500_kernel_time
	times := make([]trace.KernelTime, C.g500_kernel_times(&c[0], mostKernels))
	for i := range times {
		times[i] = trace.KernelTime{Name: C.GoString(&c[i].name[0]), Launches: int64(c[i].launches),
			Seconds: float64(c[i].nanoseconds) / 1e9}
	}
	return times
}
