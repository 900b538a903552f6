//go:build cuda && cgo

package cuda

import "C"

import "unsafe"

// Allocated is device memory of a C object of another package.
type Allocated = allocated

// Allocate calls create and enters the device memory that it allocates into the ledger. free releases this memory.
func (d *Device) Allocate(label string, create func() error, free func()) (Allocated, error) {
	return d.allocate(label, create, free)
}

// At returns device memory at an address that C functions have returned.
func (d *Device) At(address unsafe.Pointer, bytes int64) Memory { return d.memory(address, bytes) }

// Check returns the error of a call of C functions with this code, nil for 0.
func Check(call string, code int) error { return check(call, C.int(code)) }

// Explain adds the memory that the device holds to an error for missing memory.
func (d *Device) Explain(err error) error { return d.withHoldings(err) }
