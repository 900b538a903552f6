// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include <cuda.h>
import "C"

import (
	"fmt"

	"gorgonia.org/cu"
)

// kernels describes the compiled kernels. The build sets it, with a hash of the library, so that Go links a program
// again if only a kernel has changed.
var kernels = "unknown kernels"

// Built returns the CUDA version of the build and its kernels.
func Built() string { return fmt.Sprintf("CUDA %s, %s", version(C.CUDA_VERSION), kernels) }

// Driver returns the newest CUDA version that the installed driver supports.
func Driver() string { return "CUDA " + version(cu.Version()) }

// version formats the number 12040 as 12.4.
func version(number int) string { return fmt.Sprintf("%d.%d", number/1000, number%1000/10) }

// checkVersions returns an error if the driver does not support the major version of the build.
func checkVersions() error {
	if cu.Version()/1000 >= C.CUDA_VERSION/1000 {
		return nil
	}
	return fmt.Errorf("cuda: the NVIDIA driver supports CUDA up to %s, but this program was built with CUDA %s: "+
		"update the driver, or build with an older toolkit", version(cu.Version()), version(C.CUDA_VERSION))
}
