// Package report turns a run's measurements into its result: the statistics of the rules, the official output
// block, JSON and CSV (specification, section "Computing and Outputting Performance Information").
//
// A run that is not valid has no TEPS: Write refuses to print them and says which rule was broken.
package report
