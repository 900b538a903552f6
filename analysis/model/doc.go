// Package model predicts the time, bytes and memory of a search of the official graph on many GPUs, one per rank.
//
// The counts of the graph (graph.go) and of drawn searches (search.go, steps.go) follow from the generator's
// probabilities; the times of steps come from a machine profile (profile.go). Exchange schemes are in scheme.go. The
// bytes of a replicated hub bitmap with queries are in order.go, traffic.go and queries.go, relayed by node leaders
// (relay.go); labels.go counts queries for labels. predict.go combines them, scaling.go tabulates predictions, and
// compare.go compares one with a traced run.
package model
