// SPDX-License-Identifier: Apache-2.0

// Package commtest tests implementations of comm.Transport. Run is the suite, which the test of an implementation calls
// with its launcher. The suite's own tests run it on transports with one planted defect each.
package commtest
