// SPDX-License-Identifier: Apache-2.0

// Package report combines the tables and figures of a set of runs: the tables as Markdown, all as one HTML page without
// external files, in light or dark colours by the reader's choice. A script in the page draws the figures that the
// reader chooses as SVG; without it the page shows the tables.
package report
