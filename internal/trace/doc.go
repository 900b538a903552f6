// Package trace has the step of a search as every engine reports it, and the names of steps, variants, forms and
// carriers as runs store them.
package trace
