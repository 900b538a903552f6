// SPDX-License-Identifier: Apache-2.0

// Package enginetest has what tests of engines share: ranks of a test, official graphs, searches in any order.
package enginetest
