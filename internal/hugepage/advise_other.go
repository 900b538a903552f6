// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package hugepage

func advise([]byte) {}

func populate([]byte) {}
