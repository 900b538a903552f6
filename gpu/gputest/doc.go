// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

// Package gputest has helpers for tests of several packages below gpu: devices, joined ranks, graphs, and a reference
// implementation of device.Transport.
package gputest
