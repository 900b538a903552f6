// Package collect looks at many runs together: it finds them below a folder, sorts them into points (runs of the same
// kind, scale and number of ranks) and the points into series over ranks, and says how well they scale.
//
// What is compared are harmonic means. A point's figure is the median of its runs' harmonic means, and its spread their
// smallest and largest. The baseline of a series is its point with the fewest ranks; parallel efficiency is TEPS per
// rank over that of the baseline, at strong scaling (one graph) as at weak scaling (one graph size per rank).
package collect
