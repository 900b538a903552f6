//go:build cuda && cgo

package cuda

// #include <cuda.h>
import "C"

import (
	"fmt"

	"gorgonia.org/cu"
)

// kernels says what the kernels were compiled with and for. The build sets it; because it has a hash of the
// library in it, Go links a program anew when only a kernel has changed.
var kernels = "unknown kernels"

// Built names the CUDA version and the kernels that this program was built with.
func Built() string { return fmt.Sprintf("CUDA %s, %s", version(C.CUDA_VERSION), kernels) }

// Driver names the newest CUDA version that the installed driver supports.
func Driver() string { return "CUDA " + version(cu.Version()) }

// version writes the number 12040 as 12.4.
func version(number int) string { return fmt.Sprintf("%d.%d", number/1000, number%1000/10) }

// checkVersions refuses a driver that is too old: it must know the major version of the build.
func checkVersions() error {
	if cu.Version()/1000 >= C.CUDA_VERSION/1000 {
		return nil
	}
	return fmt.Errorf("cuda: the NVIDIA driver supports CUDA up to %s, but this program was built with CUDA %s: "+
		"update the driver, or build with an older toolkit", version(cu.Version()), version(C.CUDA_VERSION))
}
