// SPDX-License-Identifier: Apache-2.0

// Package trace has the step of a search as every engine reports it, and the names of steps, variants, payloads and
// transports as runs store them.
package trace
