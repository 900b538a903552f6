// SPDX-License-Identifier: Apache-2.0

// Package configs holds the presets: named runs, each with its cost at the top. They are embedded in the program, so
// that it can list them and run them by name if it is installed without this folder.
package configs
