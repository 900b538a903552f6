//go:build cuda && cgo

package cuda

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ledger lists what holds memory of a device, in the order in which it was taken.
type ledger struct{ holdings []*holding }

// holding is one thing in device memory, or one that has to be given back like it.
type holding struct {
	label   string
	bytes   int64 // of the device's memory: 0 for what lies elsewhere
	release func() error
}

func (l *ledger) add(h *holding) *holding {
	l.holdings = append(l.holdings, h)
	return h
}

// remove releases a holding; it does nothing for one that is released already.
func (l *ledger) remove(h *holding) error {
	at := slices.Index(l.holdings, h)
	if at < 0 {
		return nil
	}
	l.holdings = slices.Delete(l.holdings, at, at+1)
	return h.release()
}

// clear releases everything, the newest first, since it may refer to what is older.
func (l *ledger) clear() error {
	var faults []error
	for len(l.holdings) > 0 {
		faults = append(faults, l.remove(l.holdings[len(l.holdings)-1]))
	}
	return errors.Join(faults...)
}

// String lists the holdings for people.
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

// made enters what a C function allocated into the ledger: as much as free memory has shrunk since before.
func (d *Device) made(label string, before int64, release func() error) *holding {
	after, _ := d.Free() // 0 where the driver does not say: the figure is for people
	return d.ledger.add(&holding{label, max(before-after, 0), release})
}

// short adds to an error of memory that could not be taken what holds the device's memory.
func (d *Device) short(err error) error {
	if hasCode(err, OutOfMemory) {
		return fmt.Errorf("%w; %s", err, d.ledger.String())
	}
	return err
}
