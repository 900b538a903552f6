// SPDX-License-Identifier: Apache-2.0

// Package configs holds the presets: named runs, each with its cost at the top. They are embedded in the program, which
// can therefore run them by name if it is installed without this folder. The folder studies has files for g500 scale.
package configs
