// Package repolint checks the rules of the repository, as tests that read its own files: who may import whom
// (the table in docs/ARCHITECTURE.md), that every package says what it is, that files, lines and lists of parameters
// stay short, that things have the field's names (docs/GLOSSARY.md), and that nobody but the benchmark reads the clock.
//
// The tests parse the files themselves, whatever their build tags, so that one run on any machine sees the
// variants for MPI and for GPUs too, and Go's test cache sees when a file has changed.
package repolint
