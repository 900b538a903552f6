// Package compare tells whether one set of runs is faster than another: the difference of their harmonic means at each
// scale and number of ranks, with a confidence interval.
//
// A difference is the logarithm of a ratio, so that "B is 10% faster than A" and "A is slower than B by as much" are
// one finding. The harmonic mean of TEPS is one over the mean of seconds per edge, so that means of those are compared.
package compare
