// SPDX-License-Identifier: Apache-2.0

//go:build cgo && linux && (mpi || cuda)

package cli

import "C" // compiles space.c
