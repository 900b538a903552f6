// SPDX-License-Identifier: Apache-2.0

// Package power measures the power of devices during a run.
//
// A Meter is the energy counter of one device. NVML is the meter of a GPU, through the driver's
// library; RAPL is the meter of the node's processors, through Linux. A Sampler reads a meter periodically, and
// Record.Draw returns the mean power of the samples, with the largest error that the meter's resolution allows.
//
// Meters of GPUs are updated every 20 to 100 ms, too seldom for a search of a millisecond. The result is therefore the
// power of many searches back to back, between the first and the last observed update. Draw returns an error if there
// are too few updates.
package power
