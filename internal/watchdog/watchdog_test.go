package watchdog

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestVerdict(t *testing.T) {
	at := func(step string, collectives int64) answer { return answer{Position{step, collectives, 0}, true, true} }
	waiting, before, behind := at("search 5/64", 41), at("kernel 1", 40), at("kernel 1", 39)
	silent, unreached := answer{reached: true}, answer{}
	const (
		stopped = "b does not answer: it is stopped, or its host is lost or overloaded"
		network = "all ranks are in the same exchange, which does not end: look at the network"
	)
	for meaning, c := range map[string]struct {
		answers []answer
		want    string
	}{
		"one is at work":          {[]answer{waiting, before, waiting}, "b has not come further than kernel 1"},
		"it is rank 0":            {[]answer{before, waiting}, "a has not come further than kernel 1"},
		"one is stopped":          {[]answer{waiting, silent, behind}, stopped},
		"one cannot be asked":     {[]answer{waiting, unreached}, "b cannot be asked, for there is no TCP connection to it"},
		"an exchange in parts":    {[]answer{waiting, behind}, "b waits in an earlier exchange, in kernel 1"},
		"all in one exchange":     {[]answer{waiting, waiting}, network},
		"nobody waits":            {[]answer{before, before}, ""},
		"nobody waits, some gone": {[]answer{before, silent}, ""},
		"stopped, and at work":    {[]answer{waiting, silent, before}, stopped + "; c has not come further than kernel 1"},
	} {
		if got := verdict(c.answers, []string{"a", "b", "c"}); got != c.want {
			t.Errorf("%s: %q, want %q", meaning, got, c.want)
		}
	}
	many, names := make([]answer, 20), make([]string, 20)
	many[0] = waiting
	if got := verdict(many, names); !strings.HasSuffix(got, "; and 11 more") {
		t.Errorf("of 19 ranks it names all: %s", got)
	}
}

// exchange is bench.Tell for ranks that are goroutines.
func exchange(n int) func(rank int) func(string) ([]string, error) {
	told := make([]string, n)
	var all sync.WaitGroup
	all.Add(n)
	return func(rank int) func(string) ([]string, error) {
		return func(text string) ([]string, error) {
			told[rank] = text
			all.Done()
			all.Wait()
			return told, nil
		}
	}
}

// join makes a watchdog for each of n ranks, as processes of their own where there is a Ranks for each.
func join(t *testing.T, each []*Ranks) []*Watchdog {
	t.Helper()
	dogs, tell := make([]*Watchdog, len(each)), exchange(len(each))
	var all sync.WaitGroup
	for r := range each {
		all.Go(func() {
			var err error
			if dogs[r], err = Join(r, each[r], 20*time.Millisecond, tell(r)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, d := range dogs {
		t.Cleanup(d.Close)
	}
	return dogs
}

// linked waits until rank 0 and the others have their links.
func linked(dogs []*Watchdog) {
	for _, d := range dogs {
		for n := 0; n < 1 || d.rank == 0 && n < len(dogs)-1; time.Sleep(time.Millisecond) {
			d.mu.Lock()
			n = len(d.links)
			d.mu.Unlock()
		}
	}
}

// Ranks of other processes are asked over TCP. One whose connection is gone does not answer, and rank 1 says so of
// rank 0.
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
	if got := <-why; !strings.Contains(got, "rank 2 (host ") ||
		!strings.HasSuffix(got, "has not come further than kernel 1") {
		t.Errorf("rank 0 says %q", got)
	}
	each[0].Self(0).Collectives.Store(8)
	if got := <-why; got != "" {
		t.Errorf("when it goes on, rank 0 says %q", got)
	}
	if got := dogs[1].look(); got != "" {
		t.Errorf("rank 0 answers, but rank 1 says %q", got)
	}
	dogs[0].Close()
	if got := dogs[1].look(); !strings.Contains(got, "rank 0 (host ") || !strings.Contains(got, "does not answer") {
		t.Errorf("rank 1 says %q of a rank 0 that is gone", got)
	}
}

// Ranks of one process need no network.
func TestRanksOfOneProcess(t *testing.T) {
	ranks := &Ranks{}
	dogs := join(t, []*Ranks{ranks, ranks})
	ranks.Self(0).Collectives.Store(1)
	ranks.Self(1).Begin("kernel 1")
	if got := dogs[0].look(); !strings.Contains(got, "rank 1") || len(dogs[0].links) != 0 {
		t.Errorf("rank 0 says %q, with %d links", got, len(dogs[0].links))
	}
}

// Who does not know the word that ranks have told each other is no rank.
func TestOthersAreNotRanks(t *testing.T) {
	each := []*Ranks{{}, {}}
	dogs := join(t, each)
	linked(dogs)
	before := dogs[0].links[1]
	intruder := &Watchdog{rank: 1, ranks: &Ranks{}, links: map[int]*link{}}
	intruder.call(card{Addresses: []string{fmt.Sprint(dogs[0].listener.Addr())}, Token: "guess"}, true)
	dogs[0].mu.Lock()
	defer dogs[0].mu.Unlock()
	if dogs[0].links[1] != before || len(intruder.links) != 0 {
		t.Error("rank 0 takes it for rank 1")
	}
}
