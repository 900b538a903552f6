package report

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"g500/analysis/collect"
	"g500/internal/expect"
	"g500/record"
)

// The script's data has every valid run in GTEPS and marks those that a later version has repeated.
func TestData(t *testing.T) {
	wide := kindOf("fast", record.BFS)
	narrow := wide
	narrow.Variant, narrow.Bits = "gpu-transport mpi", 32
	runs := []*collect.Run{
		valid(wide, 20, 1, "18", 2, 2), valid(wide, 20, 1, "19", 4, 4), valid(narrow, 21, 2, "18", 8),
		valid(wide, 22, 1, "19", 9),
	}
	runs[2].ResultBits, runs[3].Failure = 32, "killed"
	set := collect.NewSet(runs)
	d := dataOf(set, machinesOf(set.Points))
	if len(d.Runs) != 3 || len(d.Machines) != 1 || len(d.Programs) != 2 || d.Programs[1].Commit != "19" {
		t.Fatalf("%+v", d)
	}
	old, now, other := d.Runs[0], d.Runs[1], d.Runs[2]
	if old.Newest || !now.Newest || old.Rate != 2 || now.Rate != 4 || now.Median != 0.25 || now.Kernel1 != 2 {
		t.Errorf("%+v %+v", old, now)
	}
	if other.Bits != 32 || other.Setting != "gpu-transport mpi" || other.Units != "2 GPUs" || other.Trace != nil {
		t.Errorf("%+v", other)
	}
}

// The page's script iterates over every list of its data, also over an empty one: none is null in JSON.
func TestListsOfThePageAreNeverNull(t *testing.T) {
	for depth := range 4 {
		d := reflect.New(reflect.TypeFor[Data]()).Elem()
		oneOfEach(d, depth)
		text, err := json.Marshal(d.Interface())
		if err != nil || strings.Contains(string(text), "null") {
			t.Errorf("lists down to depth %d have one element, the others none: %s %v", depth, text, err)
		}
	}
}

// oneOfEach gives each list in a struct one element, and so on to a depth.
func oneOfEach(in reflect.Value, depth int) {
	for i := range in.NumField() {
		if list := in.Field(i); list.Kind() == reflect.Slice && depth > 0 {
			list.Set(reflect.MakeSlice(list.Type(), 1, 1))
			if list.Index(0).Kind() == reflect.Struct {
				oneOfEach(list.Index(0), depth-1)
			}
		}
	}
}

// The steps of a view add up to the search, levels of longer searches precede the result order, and of many ranks those
// with the least and the most waiting are shown.
func TestTraceOfLevels(t *testing.T) {
	const us = 1e-6
	level := func(step, variant string, frontier int64, seconds float64) record.Level {
		costs := &record.RankCosts{}
		for r := range 40 {
			costs.Computing = append(costs.Computing, seconds-float64(r)*us)
			costs.Exchanging = append(costs.Exchanging, 0)
			costs.Waiting = append(costs.Waiting, float64(r)*us)
		}
		return record.Level{Step: step, Variant: variant, Frontier: frontier, Seconds: seconds, Ranks: costs}
	}
	r := valid(kindOf("fast", record.BFS), 20, 40, "18", 1, 1, 1)
	r.Searches[0].Trace = []record.Level{level("top-down", "push", 1, 100*us), level("result order", "", 0, 50*us)}
	r.Searches[1].Trace = []record.Level{level("top-down", "push", 1, 200*us), level("bottom-up", "pull", 9, 400*us),
		level("result order", "", 0, 50*us)}
	r.Searches[0].Seconds, r.Searches[1].Seconds = 200*us, 700*us
	got, traced := traceOf(r)
	if !traced || len(got.Views) != 2 || got.Views[0].Name != "mean of 2 searches" ||
		got.Views[1].Name != "slowest search (key 1)" {
		t.Fatalf("%+v", got)
	}
	for i, want := range []step{
		{Name: "level 0", Variant: "push", Frontier: 1, Seconds: 150},
		{Name: "level 1", Variant: "pull", Frontier: 9, Seconds: 200},
		{Name: "result order", Seconds: 50},
	} {
		s := got.Views[0].Steps[i]
		if s.Name != want.Name || s.Variant != want.Variant || s.Frontier != want.Frontier || s.Seconds != want.Seconds {
			t.Errorf("step %d is %+v, want %+v", i, s, want)
		}
		if s.Last == nil || s.Last[0] != 0 || s.Last[1] != s.Searches || s.Searches != []int{2, 1, 2}[i] {
			t.Errorf("step %d: rank %v is last in %d searches", i, s.Last, s.Searches)
		}
		if first, last := s.Ranks[0], s.Ranks[len(s.Ranks)-1]; len(s.Ranks) != mostRanks || first[0] != 0 || last[0] != 39 {
			t.Errorf("step %d shows %d ranks from %v to %v", i, len(s.Ranks), first, last)
		}
	}
	if wait := got.Views[0].Steps[1].Ranks[mostRanks-1][3]; math.Abs(wait-39.0/2) > 0.01 || got.Views[0].Seconds != 450 {
		t.Errorf("the last rank waits %g us in a search of %g", wait, got.Views[0].Seconds)
	}
}

// A step names the last rank only if it is last in more than half of the searches.
func TestLastRank(t *testing.T) {
	for _, c := range []struct {
		last []int // by search
		want *[2]int
	}{{[]int{0, 1}, nil}, {[]int{0, 1, 1}, &[2]int{1, 2}}, {[]int{0, 1, 2}, nil}} {
		var searches []record.Search
		for _, last := range c.last {
			none := make([]float64, 3)
			costs := &record.RankCosts{Computing: none, Exchanging: none, Waiting: []float64{1, 1, 1}}
			costs.Waiting[last] = 0
			searches = append(searches, record.Search{Trace: []record.Level{{Step: "push", Ranks: costs}}})
		}
		expect.Equal(t, record.MeanOf(record.SSSP, searches...)[0].Last, c.want, "last ranks", c.last)
	}
}
