// Package plot draws pictures of a set of runs, as SVG and PNG: TEPS over ranks with the ideal, TEPS over scale, the
// single searches as box plots, where the time of the mean search goes level by level, and the frontier.
//
// Drawing is gonum.org/v1/plot's. What it leaves to us is here: axes in the units of the field, colours for light and
// dark pages (theme.go), legends that hide no data, and SVG that says what it shows to those who cannot see it
// (svg.go).
package plot
