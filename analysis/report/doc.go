// Package report puts the tables and pictures of a set of runs together: as Markdown next to the pictures' files, and
// as one HTML page that holds everything, needs no network and no scripts, and follows the reader's choice of light or
// dark.
package report
