// SPDX-License-Identifier: Apache-2.0

// Package validate checks results on the devices, against the edge tuples there.
//
// Files that reach the device have the tags cuda and cgo; the estimate of memory has none.
package validate
