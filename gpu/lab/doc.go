//go:build cuda && cgo

// Package lab has the machines of the laboratory that work on a GPU.
package lab
