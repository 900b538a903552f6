// Package bench runs the benchmark: its steps in the order of the rules, and the only clock (specification,
// sections "Overall Benchmark" and "Evaluation Criteria").
//
// Start reading at Run. The steps are one file each: tuples.go (generation), kernel 1 is the engine's own,
// keys.go (sampling of search keys), search.go (timed searches and the judge's verdicts). store.go keeps what
// was measured on disk, search by search, so that a run that is cut off can be resumed.
package bench
