// SPDX-License-Identifier: Apache-2.0

// Package model predicts the time of a breadth-first search on many GPUs: measured steps of one GPU, shared as two GPUs
// were seen to share them, and exchanges over measured links. It has no figures of machines: each is from a stored run,
// or from a link that the caller has measured or assumed.
package model
