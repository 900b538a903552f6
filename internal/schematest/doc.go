// SPDX-License-Identifier: Apache-2.0

// Package schematest derives JSON Schemas (draft 2020-12) from Go types and their comments, and validates JSON
// documents. Tests use it to keep docs/schema equal to the program.
package schematest
