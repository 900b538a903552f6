// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"g500/internal/lists"
)

// KnownLabels is the number of labels that every rank stores, by default and at most: 2 GiB. They are the labels of the
// vertices with the highest degrees: all that are no leaves up to scale 30, else those of nearly all parents. Other
// labels are read from peers, or queried after a search.
const KnownLabels = 1 << 29

// MostParts is the limit in bytes of a second copy of the bitmaps of all ranks that are no peers: enough for 1,024
// ranks with 2^28 labels each. Without it ranks query the bits of vertices that are no hubs.
const MostParts = 8 << 30

// LightEntries is the largest number of entries with light edges (cuda/sssp/light.cuh) of all ranks that every rank
// stores: 512 MiB. An official graph of scale 31 has fewer.
const LightEntries = 1 << 26

// key is a key of a policy, with its default and its range.
type key struct {
	name             string
	usual, low, high int64
	number           func(*Policy) *int64
}

// Default returns the policy of policy.toml.
func Default() (p Policy) {
	for _, k := range table {
		*k.number(&p) = k.usual
	}
	return p
}

// Wait returns the time limit of a wait for other ranks.
func (p Policy) Wait() time.Duration { return time.Duration(p.WaitSeconds) * time.Second }

// Keys returns the keys of a policy, in order.
func Keys() []string { return lists.Of(table, func(k key) string { return k.name }) }

// String lists the numbers that differ from the defaults, as in alpha=30,beta=9; "default" if none does.
func (p Policy) String() string {
	var changed []string
	for _, k := range table {
		if value := *k.number(&p); value != k.usual {
			changed = append(changed, fmt.Sprintf("%s=%d", k.name, value))
		}
	}
	return cmp.Or(strings.Join(changed, ","), "default")
}

// Set changes the value of a key.
func (p *Policy) Set(name string, value int64) error {
	for _, k := range table {
		if k.name == name {
			*k.number(p) = value
			return nil
		}
	}
	return fmt.Errorf("a policy has no %q; it has %s", name, strings.Join(Keys(), ", "))
}

// Fault returns the first key whose value is out of range, with its value and the range; "" if all are in range.
func (p Policy) Fault() (name, value, want string) {
	for _, k := range table {
		if n := *k.number(&p); n < k.low || n > k.high {
			return k.name, fmt.Sprint(n), fmt.Sprintf("from %d to %d", k.low, k.high)
		}
	}
	return "", "", ""
}
