//go:build cuda && cgo

// Package gputest has what tests of several packages below gpu need: devices, joined ranks, graphs, and a reference
// implementation of device.Transport.
package gputest
