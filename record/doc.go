// Package record is a run as it is kept on disk: its settings, searches, times and environment in the file run.json,
// the verdict and the statistics derived from them, the output block, JSON and CSV (specification, section "Computing
// and Outputting Performance Information"), and one check that all of these can belong to one run. All commands that
// read stored runs use that check. It finds edited and damaged records; it cannot find a forged record.
//
// Each writer derives the verdict anew from the searches, whatever Status says:
//
//	status       meaning                                     block            rates    last line
//	VALID        every search done, every result validated   complete         printed  VALID
//	UNVALIDATED  every search done, results not validated    times only       none     INVALID: the trees were ...
//	INCOMPLETE   searches are missing                        refused          none     INVALID: incomplete, ...
//	INVALID      a result breaks a rule                      refused          none     INVALID: ...
//
// A rate needs an edge count, and validation counts the edges. A run without validation therefore has times, which
// serve tuning, but neither edge counts nor TEPS. The reference code prints both in that case.
package record
