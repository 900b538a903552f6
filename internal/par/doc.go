// Package par runs a loop on several goroutines.
package par
