// SPDX-License-Identifier: Apache-2.0

// Package par runs a loop on several goroutines.
package par
