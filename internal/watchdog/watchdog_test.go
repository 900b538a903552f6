package watchdog

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"g500/comm/commtest"
)

func TestVerdict(t *testing.T) {
	at := func(step string, collectives int64) result { return result{Progress{step, collectives, 0}, true, true} }
	waiting, before, behind := at("search 5/64", 41), at("kernel 1", 40), at("kernel 1", 39)
	silent, unreached := result{connected: true}, result{}
	const (
		stopped = "b does not answer: it is stopped, or its node is lost or overloaded"
		network = "all ranks are in the same exchange, which does not end: check the network"
	)
	for meaning, c := range map[string]struct {
		results []result
		want    string
	}{
		"one works":      {[]result{waiting, before, waiting}, "b is still in kernel 1"},
		"rank 0 works":   {[]result{before, waiting}, "a is still in kernel 1"},
		"one is stopped": {[]result{waiting, silent, behind}, stopped},
		"one is not connected": {[]result{waiting, unreached},
			"b cannot be examined, because there is no TCP connection to it"},
		"an exchange in parts":    {[]result{waiting, behind}, "b waits in an earlier exchange, in kernel 1"},
		"all in one exchange":     {[]result{waiting, waiting}, network},
		"no rank waits":           {[]result{before, before}, ""},
		"no rank waits, one gone": {[]result{before, silent}, ""},
		"stopped, and at work":    {[]result{waiting, silent, before}, stopped + "; c is still in kernel 1"},
	} {
		if got := verdict(c.results, []string{"a", "b", "c"}); got != c.want {
			t.Errorf("%s: %q, want %q", meaning, got, c.want)
		}
	}
	many, names := make([]result, 20), make([]string, 20)
	many[0] = waiting
	if got := verdict(many, names); !strings.HasSuffix(got, "; and 11 more") {
		t.Errorf("the report names more than 8 of 19 ranks: %s", got)
	}
}

// exchange returns the exchange functions of n ranks that are goroutines.
func exchange(n int) func(rank int) func(string) ([]string, error) {
	texts := make([]string, n)
	var all sync.WaitGroup
	all.Add(n)
	return func(rank int) func(string) ([]string, error) {
		return func(text string) ([]string, error) {
			texts[rank] = text
			all.Done()
			all.Wait()
			return texts, nil
		}
	}
}

// join returns a watchdog for each rank. Ranks with different elements of each behave as different processes.
func join(t *testing.T, each []*Ranks) []*Watchdog {
	t.Helper()
	dogs, all := make([]*Watchdog, len(each)), exchange(len(each))
	var joining sync.WaitGroup
	for r := range each {
		joining.Go(func() {
			var err error
			if dogs[r], err = Join(r, each[r], 20*time.Millisecond, all(r)); err != nil {
				t.Error(err)
			}
		})
	}
	joining.Wait()
	for _, d := range dogs {
		t.Cleanup(d.Close)
	}
	return dogs
}

// linked waits until rank 0 has a link to each other rank.
func linked(dogs []*Watchdog) {
	for _, d := range dogs {
		for n := 0; n < 1 || d.rank == 0 && n < len(dogs)-1; time.Sleep(time.Millisecond) {
			d.mu.Lock()
			n = len(d.links)
			d.mu.Unlock()
		}
	}
}

// Ranks of other processes are queried over TCP. A rank with a broken connection does not reply; rank 1 reports it if
// it is rank 0.
func TestRanksOfOtherProcesses(t *testing.T) {
	each := []*Ranks{{}, {}, {}}
	dogs := join(t, each)
	linked(dogs)
	for r, ranks := range each {
		ranks.Self(r).Collectives.Store(7)
	}
	each[2].Self(2).Collectives.Store(6)
	each[2].Self(2).Begin("kernel 1")
	why := make(chan string, 100)
	dogs[0].Watch(func(text string) { why <- text })
	if got := <-why; !strings.Contains(got, "rank 2 (node ") ||
		!strings.HasSuffix(got, "is still in kernel 1") {
		t.Errorf("rank 0 reports %q", got)
	}
	each[0].Self(0).Collectives.Store(8)
	if got := <-why; got != "" {
		t.Errorf("after progress, rank 0 reports %q", got)
	}
	if got := dogs[1].examine(); got != "" {
		t.Errorf("rank 0 replies, but rank 1 reports %q", got)
	}
	dogs[0].Close()
	if got := dogs[1].examine(); !strings.Contains(got, "rank 0 (node ") || !strings.Contains(got, "does not answer") {
		t.Errorf("rank 1 reports %q after the end of rank 0", got)
	}
}

// Ranks of one process need no network.
func TestRanksOfOneProcess(t *testing.T) {
	ranks := &Ranks{}
	dogs := join(t, []*Ranks{ranks, ranks})
	ranks.Self(0).Collectives.Store(1)
	ranks.Self(1).Begin("kernel 1")
	if got := dogs[0].examine(); !strings.Contains(got, "rank 1") || len(dogs[0].links) != 0 {
		t.Errorf("rank 0 reports %q, with %d links", got, len(dogs[0].links))
	}
}

// A connection without the token of the job is refused.
func TestOthersAreNotRanks(t *testing.T) {
	each := []*Ranks{{}, {}}
	dogs := join(t, each)
	linked(dogs)
	before := dogs[0].links[1]
	intruder := &Watchdog{rank: 1, ranks: &Ranks{}, links: map[int]*link{}}
	intruder.connect(card{Addresses: []string{fmt.Sprint(dogs[0].listener.Addr())}, Token: "guess"}, true)
	dogs[0].mu.Lock()
	defer dogs[0].mu.Unlock()
	if dogs[0].links[1] != before || len(intruder.links) != 0 {
		t.Error("rank 0 accepts it as rank 1")
	}
}

// A panic of the watchdog becomes one of the rank that closes it.
func TestPanicIsTheCallersOfClose(t *testing.T) {
	d := &Watchdog{done: make(chan struct{})}
	commtest.EndsByPanic(t, "TestPanicIsTheCallersOfClose", func() {
		d.guard(func() { panic(commtest.ErrPlanted) })
		d.Close()
	})
}
