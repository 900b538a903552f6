// SPDX-License-Identifier: Apache-2.0

// Package settings has the settings of g500 run, each with all facts about it in one row of a table (table.go). Flags
// and their help, files, checks, completion, documents, the agreement of ranks, notes and the rules of submissions come
// from the table; other packages use the values in a Config.
package settings
