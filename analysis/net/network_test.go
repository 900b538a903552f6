package net

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"g500/analysis/model"
	"g500/comm"
)

// A made-up job of four ranks on two hosts. A message of a pair takes a microsecond inside a host and four between
// hosts, and a nanosecond for each so many bytes; from rank 1 to rank 2 there are ten times as few.
var hosts = []string{"a", "a", "b", "b"}

func latencyOf(from, to int) time.Duration {
	if hosts[from] == hosts[to] {
		return time.Microsecond
	}
	return 4 * time.Microsecond
}

func bytesPerNanosecond(from, to int) int {
	switch {
	case from == 1 && to == 2:
		return 1
	case hosts[from] == hosts[to]:
		return 40
	}
	return 10
}

// madeUp is a transport on which all that passes is time. Each rank has a clock of its own.
type madeUp struct {
	rank, ranks int
	now         time.Duration
	unreachable bool
	fails       error
}

func (m *madeUp) Name() string     { return "made up" }
func (m *madeUp) OnDevices() bool  { return m.unreachable }
func (m *madeUp) Reaches(int) bool { return !m.unreachable }

func (m *madeUp) Trip(peer, bytes int, leads bool) error {
	m.now += latencyOf(m.rank, peer) + latencyOf(peer, m.rank)
	return m.fails
}

func (m *madeUp) Window(peer, bytes, n int, leads bool) error {
	m.now += time.Duration(n * bytes / bytesPerNanosecond(m.rank, peer))
	return nil
}

// AllToAll takes as long as rank 3: 8 bytes a nanosecond.
func (m *madeUp) AllToAll(bytes int) error {
	m.now += time.Duration(m.ranks * bytes / (2 * (7 - m.rank)))
	return nil
}

var plan = Plan{Sizes: []int{80, 80_000}, Repeats: 10}

func measured(t *testing.T, plan Plan, change func(*madeUp)) *Figures {
	t.Helper()
	var figures *Figures
	err := comm.Loopback(4, func(tr comm.Transport) error {
		c := &madeUp{rank: tr.Rank(), ranks: 4}
		change(c)
		f, err := Measure(tr, c, hosts, plan, func() time.Duration { return c.now })
		if tr.Rank() == 3 { // all ranks know all
			figures = f
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return figures
}

// Latency is half a round trip; bandwidth the bytes of a window over its time; algorithm bandwidth what a rank sends
// over the time of the slowest rank, and bus bandwidth the 3/4 of it that leave the rank.
func TestFiguresByHand(t *testing.T) {
	for _, together := range []bool{false, true} {
		plan := plan
		plan.Together = together
		f := measured(t, plan, func(*madeUp) {})
		if len(f.Links) != 2*4*3 || len(f.AllToAll) != 2 {
			t.Fatalf("%d links, %d all to all", len(f.Links), len(f.AllToAll))
		}
		for _, l := range f.Links {
			want := Link{l.From, l.To, hosts[l.From] == hosts[l.To], l.Bytes, latencyOf(l.From, l.To).Seconds(),
				1e9 * float64(bytesPerNanosecond(l.From, l.To))}
			if math.Abs(l.Latency-want.Latency) > 1e-12 || l.Bandwidth != want.Bandwidth || l.SameHost != want.SameHost {
				t.Errorf("%+v, want %+v", l, want)
			}
		}
		if a := f.AllToAll[1]; a.Bytes != 80_000 || a.Seconds != 10e-6 || math.Abs(a.Algorithm-8e9) > 1 ||
			math.Abs(a.Bus-6e9) > 1 {
			t.Errorf("%+v", a)
		}
	}
}

// Only pairs of one kind are compared: messages between hosts are slower than others, and no fault.
func TestSlowPairsAreNamed(t *testing.T) {
	slow := measured(t, plan, func(*madeUp) {}).Slow()
	want := "rank 1 (a) to rank 2 (b) has a bandwidth of 1.00 GB/s, 0.10 of the median between hosts (10.0 GB/s)"
	if len(slow) != 1 || slow[0] != want {
		t.Errorf("%q", slow)
	}
	f := &Figures{Hosts: []string{"a", "a", "a"}}
	for from := range 3 {
		for to := range 3 {
			if from != to {
				f.Links = append(f.Links, Link{from, to, true, 8, 1e-6, 1e9})
			}
		}
	}
	if slow := f.Slow(); len(slow) != 0 {
		t.Errorf("among equals %q", slow)
	}
	f.Links[5].Latency = 3e-6
	late := "rank 2 (a) to rank 1 (a) has a latency of 3.00 us, 3.0 times the median inside hosts (1.00 us)"
	if slow := f.Slow(); len(slow) != 1 || slow[0] != late {
		t.Errorf("%q", slow)
	}
}

// Each two ranks have one turn each way, and no rank has two peers at once.
func TestRounds(t *testing.T) {
	for n := 2; n <= 17; n++ {
		for _, together := range []bool{false, true} {
			seen := map[[2]int]bool{}
			rounds := Plan{Together: together}.rounds(n)
			for _, round := range rounds {
				busy := map[int]bool{}
				for _, pair := range round {
					if pair[0] == pair[1] || max(pair[0], pair[1]) >= n || seen[pair] || busy[pair[0]] || busy[pair[1]] {
						t.Fatalf("%d ranks: round %v", n, round)
					}
					seen[pair], busy[pair[0]], busy[pair[1]] = true, true, true
				}
			}
			if len(seen) != n*(n-1) || together && len(rounds) != 2*(n-1+n%2) {
				t.Errorf("%d ranks: %d pairs in %d rounds", n, len(seen), len(rounds))
			}
		}
	}
}

// The model reads what was measured, and keeps its own figures for the rest.
func TestMachineFile(t *testing.T) {
	load := func(f *Figures) model.Profile {
		t.Helper()
		var text bytes.Buffer
		if err := f.WriteMachine(&text); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "machine.toml")
		if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := model.LoadProfile(path)
		if err != nil {
			t.Fatalf("%v\n%s", err, text.String())
		}
		return p
	}
	want := model.H200()
	want.Node.Ranks = 2
	// Of four parts of 8 GB/s two leave the host; 80 bytes at 10 a nanosecond.
	want.Network.GBs, want.Network.Latency, want.Network.Overhead = 4, 4, 0.008
	f := measured(t, plan, func(*madeUp) {})
	if got := load(f); got != want {
		t.Errorf("two hosts: %+v, want %+v", got, want)
	}

	want = model.H200()
	want.Node.Ranks, want.Node.PeerGBs = 4, 6
	f.Hosts, f.OnDevices = []string{"a", "a", "a", "a"}, true
	if got := load(f); got != want {
		t.Errorf("GPUs of one host: %+v, want %+v", got, want)
	}

	want = model.H200()
	want.Network.GBs, want.Node.Ranks = 4, 2
	if got := load(measured(t, plan, func(m *madeUp) { m.unreachable = true })); got != want {
		t.Errorf("GPUs that are no peers: %+v, want %+v", got, want)
	}
}

func TestWritten(t *testing.T) {
	f := measured(t, plan, func(*madeUp) {})
	var text, table, object bytes.Buffer
	for _, err := range []error{f.WriteText(&text), f.WriteCSV(&table), f.WriteJSON(&object)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"One pair at a time, inside hosts, n = 4", "between hosts, n = 8", "slow: rank 1 (a)",
		"    80          4.00 us  4.00 us", "8.00 GB/s", "6.00 GB/s"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if rows, err := csv.NewReader(&table).ReadAll(); err != nil || len(rows) != 1+24+2 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	var back Figures
	if err := json.Unmarshal(object.Bytes(), &back); err != nil || len(back.Links) != 24 {
		t.Errorf("%d links, %v", len(back.Links), err)
	}
}

// Messages in host memory arrive, on any number of ranks.
func TestOverHosts(t *testing.T) {
	plan := Plan{Sizes: []int{8, 1000, 100_000}, Repeats: 3}
	for _, n := range []int{2, 3, 5} {
		for _, plan.Together = range []bool{false, true} {
			err := comm.Loopback(n, func(tr comm.Transport) error {
				c := OverHosts(tr, "host memory", plan.Room(n)).(*hostMemory)
				ticks := time.Duration(0)
				clock := func() time.Duration { ticks += time.Microsecond; return ticks }
				f, err := Measure(tr, c, make([]string, n), plan, clock)
				if err != nil {
					return err
				}
				fromFirst := c.send[tr.Rank()*part(100_000, n):] // what rank 0 sent in the last all-to-all
				if len(f.Links) != 3*n*(n-1) || !bytes.Equal(c.recv[:8], fromFirst[:8]) {
					return fmt.Errorf("%d links; received %v", len(f.Links), c.recv[:8])
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, p := range []Plan{
		{}, {Sizes: []int{4}, Repeats: 1}, {Sizes: []int{64, 8}, Repeats: 1}, {Sizes: []int{8, 1 << 31}, Repeats: 1},
		{Sizes: []int{8}}, {Sizes: []int{8}, Repeats: -1},
	} {
		if err := p.Check(); err == nil {
			t.Errorf("%+v is taken", p)
		}
	}
	alone := comm.Loopback(1, func(tr comm.Transport) error {
		_, err := Measure(tr, &madeUp{}, hosts[:1], plan, nil)
		return err
	})
	if alone == nil || !strings.Contains(alone.Error(), "mpirun -n 2") {
		t.Errorf("one rank: %v", alone)
	}
	gone := errors.New("the cable is gone")
	err := comm.Loopback(4, func(tr comm.Transport) error {
		c := &madeUp{rank: tr.Rank(), ranks: 4}
		if tr.Rank() == 2 {
			c.fails = gone
		}
		_, err := Measure(tr, c, hosts, plan, func() time.Duration { return c.now })
		return err
	})
	if !errors.Is(err, gone) {
		t.Errorf("a link that fails: %v", err)
	}
}
