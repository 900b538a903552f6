// SPDX-License-Identifier: Apache-2.0

// Package policy has the thresholds by which GPUs choose the direction, method and exchange of each level (CPUs:
// bfs/direction.go), and how far shortest paths are pushed. They change the time of a search, not levels or distances.
package policy

//go:generate go run ./generate
