// SPDX-License-Identifier: Apache-2.0

// Package commtest tests implementations of comm.Transport. Run is the suite, which the test of an implementation calls
// with its launcher. The mutants in tools/mutants/comm.toml are defects of Loopback that the suite must find.
package commtest
