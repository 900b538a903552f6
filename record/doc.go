// SPDX-License-Identifier: Apache-2.0

// Package record stores one run: its settings, searches, times and environment in the file run.json, and the verdict,
// the statistics, the output block and CSV that follow from them (specification, section "Computing and Outputting
// Performance Information"). Read checks that the parts of a record agree, which finds edited and damaged records but
// not forged ones. The folder results has records of many machines.
//
// Each writer derives the verdict from the searches, independently of Status:
//
//	status       meaning                                     block            rates    last line
//	VALID        every search done, every result validated   complete         printed  VALID
//	UNVALIDATED  every search done, results not validated    times only       none     INVALID: the trees were ...
//	INCOMPLETE   searches are missing                        refused          none     INVALID: incomplete, ...
//	INVALID      a result breaks a rule                      refused          none     INVALID: ...
//
// A rate needs an edge count, and validation counts the edges. A run without validation therefore has times for tuning,
// but neither edge counts nor TEPS, although the reference code prints both.
package record
