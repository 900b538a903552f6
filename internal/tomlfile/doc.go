// SPDX-License-Identifier: Apache-2.0

// Package tomlfile decodes TOML files that people write. Its errors have the file, the line, the setting and the values
// that it can have, instead of names of Go types.
package tomlfile
