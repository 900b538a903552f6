// Package tomlfile decodes TOML files that people write. Its errors name the file, the line and the setting as the
// file does, and describe the values that a setting takes; no name of a Go type is in them.
package tomlfile
