// SPDX-License-Identifier: Apache-2.0

// Package agreement compares the settings, programs and input files of all ranks before a job starts. Ranks that differ
// would wait for each other for ever, or compute one result from two graphs.
package agreement
