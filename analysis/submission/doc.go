// SPDX-License-Identifier: Apache-2.0

// Package submission checks a stored run against the rules of the Graph500 list, and packs a submission: the output
// block in both formats, a description of the system to complete by hand, the run itself, and checksums.
//
// Check names each rule, its source, and how the run breaks it. It reads the stored run, and derives again its verdict,
// statistics, power, output block and search keys. It finds mistakes, but not forged runs.
package submission
