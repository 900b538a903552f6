// Package report combines the tables and pictures of a set of runs: as Markdown with separate picture files, and as one
// HTML page without scripts and external files, in light or dark colours by the reader's choice.
package report
