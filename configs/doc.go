// Package configs holds the presets: named runs, each with its price at the top. They are part of the program, so that
// it can propose them, and run them by name, where it is installed without this folder.
package configs
