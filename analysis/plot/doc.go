// Package plot draws pictures of a set of runs, as SVG and PNG: TEPS over ranks with the ideal, TEPS over scale, box
// plots of single searches, the time of the mean search by level, and the frontier.
//
// gonum.org/v1/plot draws. This package adds axes with units, colours for light and dark pages (theme.go), legends
// outside of the data, and SVG with a title and a description for screen readers (svg.go).
package plot
