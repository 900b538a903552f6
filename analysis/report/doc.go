// Package report combines the tables and pictures of a set of runs: as Markdown with separate picture files, and as one
// HTML page without external files, in light or dark colours by the reader's choice. A script in the page draws the
// plots that the reader chooses; without it the page shows the pictures.
package report
