package bfs_test

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"g500/analysis/model"
	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/internal/trace"
	"g500/kronecker"
)

// What is counted, unless it is said here, is a few small points. docs/MODEL.md has figures of larger ones:
//
//	go test ./bfs -run CountedTraffic -v -points 16x64,18x512 -keys 64
var (
	trafficPoints = flag.String("points", "", "scales x ranks to count, such as 16x64,18x512")
	trafficKeys   = flag.Int("keys", 32, "searches to count at each")
)

// ranksOnHost is how many ranks each declared host has.
const ranksOnHost = 8

// kind is a kind of message that is counted apart.
type kind struct {
	level       int
	relabelling bool
	form, tier  string
}

// The sums over levels, and over forms, in the place of a level.
const (
	allLevels = -1
	allForms  = -2
)

// place is where in a search it was.
func (k kind) place() string {
	switch {
	case k.level == allForms:
		return "all"
	case k.level == allLevels:
		return "all levels"
	case k.relabelling:
		return "relabelling"
	}
	return fmt.Sprintf("level %d", k.level)
}

// tally counts the messages of all ranks by kind.
type tally struct {
	mu   sync.Mutex
	sent map[kind]*[2]int64 // bytes, messages
}

func (x *tally) add(k kind, bytes, messages int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.sent[k] == nil {
		x.sent[k] = new([2]int64)
	}
	x.sent[k][0] += bytes
	x.sent[k][1] += messages
}

// tallying is a transport that counts a rank's messages to others.
type tallying struct {
	comm.Transport
	hosts  []int
	into   *tally
	counts bool
	form   string // of messages
	level  int
	step   map[kind]*[2]int64 // of the level under way, whose number is not yet in it
}

func (t *tallying) CarryForm(form string) {
	t.form = map[string]string{
		trace.BitmapPayload: model.BitsForm, trace.QueriesPayload: trace.QueriesPayload,
		trace.RepliesPayload: trace.RepliesPayload,
		"":                   model.PairsForm,
	}[form]
}

func (t *tallying) tier(r int) string {
	if t.hosts[r] == t.hosts[t.Rank()] {
		return model.InsideTier
	}
	return model.BetweenTier
}

func (t *tallying) AllGather(words []uint64) error {
	for r := range t.hosts {
		if t.counts && r != t.Rank() {
			t.note(model.BitsForm, r, 8*len(words)/t.Size())
		}
	}
	return t.Transport.AllGather(words)
}

// note counts a message of the level under way.
func (t *tallying) note(form string, to, bytes int) {
	k := kind{form: form, tier: t.tier(to)}
	if t.step[k] == nil {
		t.step[k] = new([2]int64)
	}
	t.step[k][0] += int64(bytes)
	t.step[k][1]++
}

// ended takes the level into the tally. Messages of the relabelling that are not about visited vertices are labels.
func (t *tallying) ended(l trace.Step) error {
	for k, n := range t.step {
		k.level = t.level
		if l.Name == trace.ResultOrderStep {
			k.level, k.relabelling = 0, true
			if k.form == model.PairsForm {
				k.form = model.LabelsForm
			}
		}
		t.into.add(k, n[0], n[1])
	}
	clear(t.step)
	t.level++
	return nil
}

func (t *tallying) AllToAll(send [][]byte) ([][]byte, error) {
	t.noteAll(send)
	return t.Transport.AllToAll(send)
}

func (t *tallying) NeighbourAllToAll(send [][]byte, n comm.Neighbours) ([][]byte, error) {
	t.noteAll(send)
	return t.Transport.NeighbourAllToAll(send, n)
}

func (t *tallying) noteAll(send [][]byte) {
	for r, message := range send {
		if t.counts && r != t.Rank() && len(message) > 0 {
			t.note(t.form, r, len(message))
		}
	}
}

// countTraffic counts the messages of searches of an official graph from the first keys that have an edge.
func countTraffic(t *testing.T, scale, ranks, keys int) map[kind]*[2]int64 {
	into := &tally{sent: map[kind]*[2]int64{}}
	p := kronecker.Params{Scale: scale, EdgeFactor: 16, Seed1: 2, Seed2: 3}
	err := comm.Loopback(ranks, func(tr comm.Transport) error {
		on := &tallying{Transport: comm.EmulateNodes(tr, hostsOf(ranks, ranksOnHost)), into: into, step: map[kind]*[2]int64{}}
		on.hosts, on.form = on.Nodes(), model.PairsForm
		lo, hi := p.Edges()*int64(tr.Rank())/int64(ranks), p.Edges()*int64(tr.Rank()+1)/int64(ranks)
		tuples := make(graph.HostTuples, hi-lo)
		p.Fill(lo, tuples)
		e, err := bfs.NewHybrid(1)(on, tuples)
		if err != nil {
			return err
		}
		return countSearches(on, e, p, keys)
	})
	if err != nil {
		t.Fatal(err)
	}
	return into.sent
}

func countSearches(on *tallying, e bfs.Engine, p kronecker.Params, keys int) error {
	e.(trace.Stepper).OnStep(on.ended)
	for i, left := int64(0), keys; left > 0; i++ {
		root := p.KeyCandidate(i)
		has := []int64{0}
		if root < e.Layout().Vertices() && e.Layout().Owner(root) == on.Rank() && e.HasEdge(e.Layout().Local(root)) {
			has[0] = 1
		}
		if err := on.AllReduce(has, comm.Max); err != nil {
			return err
		}
		if has[0] == 0 {
			continue
		}
		left--
		on.level, on.counts = 0, true
		if _, err := e.Search(root); err != nil {
			return err
		}
		on.counts = false
	}
	return nil
}

// points returns the points of the flag, or small ones.
func points(t *testing.T) (all [][2]int) {
	if *trafficPoints == "" {
		return [][2]int{{14, 64}, {12, 32}}
	}
	for rest := *trafficPoints; rest != ""; {
		var scale, ranks int
		if _, err := fmt.Sscanf(rest, "%dx%d", &scale, &ranks); err != nil {
			t.Fatalf("-points %s: %v", *trafficPoints, err)
		}
		all = append(all, [2]int{scale, ranks})
		for rest != "" && rest[0] != ',' {
			rest = rest[1:]
		}
		rest = rest[min(1, len(rest)):]
	}
	return all
}

// way is a way to exchange visited vertices, which bounds force on graphs of any size.
type way struct {
	name   string
	bounds bfs.Bounds
}

func ways() []way {
	apart, all, querying := bfs.DefaultBounds(), bfs.DefaultBounds(), bfs.DefaultBounds()
	apart.TiersFrom = math.MaxInt
	all.TiersFrom, all.QueriesFrom = 0, math.MaxInt
	querying.TiersFrom, querying.QueriesFrom = 0, 0
	return []way{{"from rank to rank", apart}, {"all bits in tiers", all}, {"hubs and queries", querying}}
}

// TestCountedTraffic holds the model's bytes between hosts to those that ranks on declared hosts send each other.
func TestCountedTraffic(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of searches")
	}
	for _, at := range points(t) {
		scale, ranks := at[0], at[1]
		g, err := model.NewGraph(scale)
		if err != nil {
			t.Fatal(err)
		}
		for _, way := range ways() {
			withBounds(t, way.bounds)
			predicted := map[kind][2]float64{}
			for _, s := range model.Traffic(g, model.Cluster{Ranks: ranks, OnHost: ranksOnHost, Bounds: way.bounds}) {
				predicted[kind{s.Level, s.Relabelling, s.Form, s.Tier}] = [2]float64{s.Bytes, s.Messages}
			}
			compareTraffic(t, fmt.Sprintf("scale %d, ranks %d, %s", scale, ranks, way.name),
				countTraffic(t, scale, ranks, *trafficKeys), predicted)
		}
	}
}

// compareTraffic logs both by kind, and by form and tier, and holds the sums between hosts together.
func compareTraffic(t *testing.T, what string, counted map[kind]*[2]int64, predicted map[kind][2]float64) {
	type both struct{ counted, predicted [2]float64 }
	rows := map[kind]both{}
	add := func(k kind, b both) {
		at := rows[k]
		for i := range 2 {
			at.counted[i] += b.counted[i]
			at.predicted[i] += b.predicted[i]
		}
		rows[k] = at
	}
	all := kind{level: allForms, tier: model.BetweenTier}
	note := func(k kind, b both) {
		add(k, b)
		add(kind{allLevels, false, k.form, k.tier}, b)
		if k.tier == model.BetweenTier {
			add(all, b)
		}
	}
	keys := float64(*trafficKeys)
	for k, c := range counted {
		note(k, both{counted: [2]float64{float64(c[0]) / keys, float64(c[1]) / keys}})
	}
	for k, p := range predicted {
		note(k, both{predicted: p})
	}
	order := slices.SortedFunc(maps.Keys(rows), func(a, b kind) int {
		return strings.Compare(fmt.Sprint(a.tier, a.level+3, a.relabelling, a.form),
			fmt.Sprint(b.tier, b.level+3, b.relabelling, b.form))
	})
	t.Log(what)
	for _, k := range order {
		r := rows[k]
		t.Logf("%-8s %-12s %-7s bytes %10.0f / %10.0f = %.3f  messages %8.1f / %8.1f", k.tier, k.place(), k.form,
			r.predicted[0], r.counted[0], r.predicted[0]/r.counted[0], r.predicted[1], r.counted[1])
	}
	for i, held := range []struct {
		what string
		to   float64
	}{{"bytes", 0.1}, {"messages", 0.15}} {
		if ratio := rows[all].predicted[i] / rows[all].counted[i]; math.Abs(ratio-1) > held.to {
			t.Errorf("%s: the model has %.3f times the %s between hosts", what, ratio, held.what)
		}
	}
}
