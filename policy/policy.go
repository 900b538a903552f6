// Package policy has the thresholds by which the GPU engine chooses the direction, the method and the exchange of each
// level, and the distance that shortest paths are pushed. They change the time of a search, never levels or distances.
package policy

import (
	_ "embed" // the defaults
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/BurntSushi/toml"
)

// KnownLabels is the number of labels that every rank stores, by default and at most: 2 GiB. They are the labels of the
// vertices with the highest degrees: all that are no leaves up to scale 30, else those of nearly all parents. Other
// labels are read from peers, or queried after a search.
const KnownLabels = 1 << 29

// LightEntries is the largest number of entries with light edges (cuda/sssp/light.cuh) of all ranks that every rank
// stores: 512 MiB. An official graph of scale 31 has fewer.
const LightEntries = 1 << 26

// Policy has the numbers of policy.toml, which explains each and its default. It is the same on all ranks.
type Policy struct {
	Alpha      int64 `toml:"alpha" json:"alpha"`
	Beta       int64 `toml:"beta" json:"beta"`
	FewEdges   int64 `toml:"few_edges" json:"few_edges"`
	ShortQueue int64 `toml:"short_queue" json:"short_queue"`
	PullHubs   int64 `toml:"pull_hubs" json:"pull_hubs"`

	ReplicatedEdges int64 `toml:"replicated_edges" json:"replicated_edges"`

	SegmentVertices int64 `toml:"segment_vertices" json:"segment_vertices"`
	SegmentEdges    int64 `toml:"segment_edges" json:"segment_edges"`
	SegmentShare    int64 `toml:"segment_share" json:"segment_share"`
	SegmentHubs     int64 `toml:"segment_hubs" json:"segment_hubs"`
	SegmentPulled   int64 `toml:"segment_pulled" json:"segment_pulled"`

	SplitAlpha int64 `toml:"split_alpha" json:"split_alpha"`
	SplitHubs  int64 `toml:"split_hubs" json:"split_hubs"`

	ListingShare   int64 `toml:"listing_share" json:"listing_share"`
	RemainingShare int64 `toml:"remaining_share" json:"remaining_share"`
	HubVertices    int64 `toml:"hub_vertices" json:"hub_vertices"`
	HubShare       int64 `toml:"hub_share" json:"hub_share"`
	OverlapShare   int64 `toml:"overlap_share" json:"overlap_share"`

	SSSPWindow    int64 `toml:"sssp_window" json:"sssp_window"`
	SSSPPruned    int64 `toml:"sssp_pruned" json:"sssp_pruned"`
	SSSPLandmarks int64 `toml:"sssp_landmarks" json:"sssp_landmarks"`
	SSSPSweeps    int64 `toml:"sssp_sweeps" json:"sssp_sweeps"`
	SSSPClasses   int64 `toml:"sssp_classes" json:"sssp_classes"`
	SSSPHinted    int64 `toml:"sssp_hinted" json:"sssp_hinted"`
	SSSPPart      int64 `toml:"sssp_part" json:"sssp_part"`
	SSSPSlots     int64 `toml:"sssp_slots" json:"sssp_slots"`
	SSSPResident  int64 `toml:"sssp_resident" json:"sssp_resident"`

	RoundPairs  int64 `toml:"round_pairs" json:"round_pairs"`
	WaitSeconds int64 `toml:"wait_seconds" json:"wait_seconds"`

	Prelaunch int64 `toml:"prelaunch" json:"prelaunch"`
}

//go:embed policy.toml
var defaults string

// Default returns the policy of policy.toml.
var Default = sync.OnceValue(func() Policy {
	var p Policy
	if _, err := toml.Decode(defaults, &p); err != nil {
		panic(err) // of our own file
	}
	return p
})

// Wait returns the time limit of a wait for other ranks.
func (p Policy) Wait() time.Duration { return time.Duration(p.WaitSeconds) * time.Second }

// Keys returns the keys of a policy, in order.
func Keys() []string {
	var keys []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Policy]()) {
		keys = append(keys, field.Tag.Get("toml"))
	}
	return keys
}

// Set changes the value of a key.
func (p *Policy) Set(key string, value int64) error {
	for i, name := range Keys() {
		if name == key {
			reflect.ValueOf(p).Elem().Field(i).SetInt(value)
			return nil
		}
	}
	return fmt.Errorf("a policy has no %q; it has %s", key, strings.Join(Keys(), ", "))
}

// RangeError is the error of a value that is out of range.
type RangeError struct {
	Key       string
	Value     int64
	Low, High int64 // the range
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s = %d: it must be from %d to %d", e.Key, e.Value, e.Low, e.High)
}

// Limits of values. The device multiplies edges by factors in 64 bits, and has fewer than 2^40 edges.
const (
	maxFactor     = 1 << 20
	maxCount      = 1 << 40
	maxRoundPairs = 1 << 30
	maxWait       = 1 << 20 // seconds
	maxSweeps     = 1 << 10
	maxClasses    = 15   // each has four times as many vertices as the previous one
	maxSlots      = 1000 // a queue must have fewer than 2^32
	maxWord       = 1<<32 - 1
)

// Check returns a *RangeError for the first value that is out of range.
func (p Policy) Check() error {
	numbers := reflect.ValueOf(p)
	for i, key := range Keys() {
		value := numbers.Field(i).Int()
		if low, high := limits(key); value < low || value > high {
			return &RangeError{key, value, low, high}
		}
	}
	return nil
}

// limits returns the range of a value. Divisors are at least 1.
func limits(key string) (low, high int64) {
	switch {
	case key == "beta" || strings.HasSuffix(key, "_share"):
		return 1, maxFactor
	case key == "sssp_sweeps":
		return 1, maxSweeps
	case key == "sssp_classes":
		return 1, maxClasses
	case key == "sssp_part":
		return 1, maxWord
	case key == "sssp_slots":
		return 1, maxSlots
	case strings.HasPrefix(key, "sssp_"):
		return 0, maxWord
	case key == "round_pairs":
		return 1, maxRoundPairs
	case key == "wait_seconds":
		return 1, maxWait
	case key == "prelaunch":
		return 0, 1
	case strings.HasPrefix(key, "alpha"), strings.HasSuffix(key, "_alpha"):
		return 0, maxFactor
	}
	return 0, maxCount
}
