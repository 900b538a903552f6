// Package report turns a run's measurements into its result: the verdict, the statistics of the rules, the
// official output block, JSON and CSV (specification, section "Computing and Outputting Performance
// Information").
//
// Each writer judges the run anew from its searches, whatever its Status says:
//
//	status       what happened                          block            rates    verdict
//	VALID        every search done, every tree checked  whole            printed  VALID
//	UNVALIDATED  every search done, trees not checked   times only       none     INVALID: the trees were ...
//	INCOMPLETE   searches are missing                   refused          none     INVALID: incomplete, ...
//	INVALID      a tree breaks a rule                  refused          none     INVALID: ...
//
// A rate stands on an edge count, and edges are counted when a tree is validated. So a run without validation
// has times, good for tuning, but neither edge counts nor TEPS. The official program prints both there.
package report
