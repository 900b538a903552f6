// Package power measures what a machine draws while it works.
//
// Its door is Meter: a counter of energy, or a gauge of power, of one device. NVML reads a GPU's through the driver's
// library, RAPL those of the host's processors through Linux. A Sampler reads a meter at a steady period beside the
// work, and Record.Draw makes of the samples the mean power, with the largest error that the counter's resolution
// allows.
//
// The counters of devices stand still between two updates, 20 to 100 ms apart on GPUs: a search of a millisecond cannot
// be measured. What is measured is the power of many searches back to back, between the first and the last update that
// was seen; Draw gives no figure from too few of them.
package power
