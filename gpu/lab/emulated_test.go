// SPDX-License-Identifier: Apache-2.0

//go:build emulated && !cuda

package lab

const childProgram = "../../build/emulated/g500-lab-child-emulated"
