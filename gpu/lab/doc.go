// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

// Package lab has the machines of the laboratory that search on a GPU.
package lab
