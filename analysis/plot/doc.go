// Package plot draws pictures of a set of runs as SVG: TEPS over ranks with the ideal, TEPS and times over scale, and
// the frontier. It also draws lines and lanes for other packages.
//
// A picture is data: axes (axis.go) and lines of points (picture.go). svg.go draws it, with a title and a description
// for screen readers, a legend below, and colours for light and dark pages (theme.go).
package plot
