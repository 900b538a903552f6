// SPDX-License-Identifier: Apache-2.0

// Package bench runs the benchmark itself: its steps in the order of the rules, and the only clock (specification,
// sections "Overall Benchmark" and "Evaluation Criteria"). It has no micro-benchmarks of functions.
//
// Start reading at Run. The steps are one file each: tuples.go (generation), kernel.go (kernel 1, which the engine
// builds), keys.go (sampling of search keys), search.go (timed searches and validation), the same for each kernel.
// store.go stores every search before the next one begins, so that a run that is cut off can be resumed.
package bench
