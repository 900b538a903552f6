// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ledger lists the holdings of a device in the order in which they were allocated.
type ledger struct{ holdings []*holding }

// holding is device memory, or another resource that must be released.
type holding struct {
	label   string
	bytes   int64 // of device memory
	release func() error
}

func (l *ledger) add(h *holding) *holding {
	l.holdings = append(l.holdings, h)
	return h
}

// remove releases a holding, unless it is released already.
func (l *ledger) remove(h *holding) error {
	at := slices.Index(l.holdings, h)
	if at < 0 {
		return nil
	}
	l.holdings = slices.Delete(l.holdings, at, at+1)
	return h.release()
}

// clear releases everything, the newest first, because it may refer to older holdings.
func (l *ledger) clear() error {
	var faults []error
	for len(l.holdings) > 0 {
		faults = append(faults, l.remove(l.holdings[len(l.holdings)-1]))
	}
	return errors.Join(faults...)
}

// String lists the holdings with device memory.
func (l *ledger) String() string {
	var items []string
	for _, h := range l.holdings {
		if h.bytes > 0 {
			items = append(items, fmt.Sprintf("%s %.3g GB", h.label, float64(h.bytes)/1e9))
		}
	}
	if len(items) == 0 {
		return "nothing is held"
	}
	return "held: " + strings.Join(items, ", ")
}

// Allocated is embedded in types that own a holding of a device.
type Allocated struct {
	device *Device
	held   *holding
}

// Free releases the memory. Further calls do nothing.
func (a Allocated) Free() error { return a.device.ledger.remove(a.held) }

// Allocate calls create and enters the device memory that it allocates into the ledger. free releases this memory.
func (d *Device) Allocate(label string, create func() error, free func()) (Allocated, error) {
	before, err := d.Free()
	if err == nil {
		err = d.Explain(create())
	}
	if err != nil {
		return Allocated{}, err
	}
	after, _ := d.Free() // 0 if unknown: the size is only printed
	return d.hold(label, max(before-after, 0), free), nil
}

// hold enters device memory that a C function has allocated into the ledger.
func (d *Device) hold(label string, bytes int64, free func()) Allocated {
	return Allocated{d, d.ledger.add(&holding{label, bytes, func() error { free(); return nil }})}
}

// Explain adds the memory that the device holds to an error for missing memory, and returns other errors as they are.
func (d *Device) Explain(err error) error {
	if hasCode(err, OutOfMemory) {
		return fmt.Errorf("%w; %s", err, d.ledger.String())
	}
	return err
}

// Free frees the resources that are not nil.
func Free[T interface {
	comparable
	Free() error
}](resources ...T) error {
	var none T
	var faults []error
	for _, r := range resources {
		if r != none {
			faults = append(faults, r.Free())
		}
	}
	return errors.Join(faults...)
}
