// SPDX-License-Identifier: Apache-2.0

// Package clitest tests the command lines of the programs of this module by rules that all of them follow.
package clitest
