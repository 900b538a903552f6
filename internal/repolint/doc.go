// SPDX-License-Identifier: Apache-2.0

// Package repolint checks the rules of the repository, as tests that read its files: imports and includes (tables in
// docs/ARCHITECTURE.md), sizes of files, lines and parameter lists, plain language and the field's
// terms (docs/GLOSSARY.md), and readers of the clock.
//
// The tests parse the files themselves, whatever their build tags. One run on any machine therefore also checks the
// variants for MPI and for GPUs, and Go's test cache notices each changed file.
package repolint
