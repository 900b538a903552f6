// SPDX-License-Identifier: Apache-2.0

// Package policy has the thresholds by which the GPU engine chooses the direction, the method and the exchange of each
// level, and the distance that shortest paths are pushed. They change the time of a search, never levels or distances.
package policy

//go:generate go run ./generate
