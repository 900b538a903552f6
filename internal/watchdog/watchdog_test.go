// SPDX-License-Identifier: Apache-2.0

package watchdog

import (
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"g500/comm/commtest"
	"g500/internal/expect"
	"g500/internal/timeout"
)

func TestVerdict(t *testing.T) {
	at := func(step string, collectives int64) result {
		return result{Progress: Progress{step, collectives, 0}, connected: true, replied: true}
	}
	waiting, before, behind := at("search 5/64", 41), at("kernel 1", 40), at("kernel 1", 39)
	silent, unreached, gone := result{connected: true}, result{}, result{connected: true, ended: true}
	const (
		stopped = "b does not answer: it is stopped, or its node is overloaded"
		lost    = "b does not answer: its node, or the network to it, is lost"
		network = "all ranks are in the same exchange, which does not end: check the network"
	)
	for meaning, c := range map[string]struct {
		results []result
		want    string
	}{
		"one works":        {[]result{waiting, before, waiting}, "b is still in kernel 1"},
		"rank 0 works":     {[]result{before, waiting}, "a is still in kernel 1"},
		"one is stopped":   {[]result{waiting, silent, behind}, stopped},
		"one node is lost": {[]result{waiting, {connected: true, lost: true}}, lost},
		"one has ended":    {[]result{waiting, gone}, "b has ended: it was killed, or its node is lost"},
		"one is not connected": {[]result{waiting, unreached},
			"b cannot be examined, because there is no TCP connection to it"},
		"an exchange in parts":    {[]result{waiting, behind}, "b waits in an earlier exchange, in kernel 1"},
		"all in one exchange":     {[]result{waiting, waiting}, network},
		"no rank waits":           {[]result{before, before}, ""},
		"no rank waits, one gone": {[]result{before, silent}, ""},
		"stopped, and at work":    {[]result{waiting, silent, before}, stopped + "; c is still in kernel 1"},
	} {
		expect.Equal(t, verdict(c.results, []string{"a", "b", "c"}), c.want, meaning)
	}
	many, names := make([]result, 20), make([]string, 20)
	many[0] = waiting
	got := verdict(many, names)
	expect.That(t, strings.HasSuffix(got, "; and 11 more"), "the report names more than 8 of 19 ranks: %s", got)
}

// Times without progress after which ranks are queried.
const soon, never = 20 * time.Millisecond, time.Hour

// exchange returns the exchange functions of n ranks that are goroutines. Rank 0 has no addresses if they are not to
// connect by themselves.
func exchange(n int, connected bool) func(rank int) func(string) ([]string, error) {
	texts := make([]string, n)
	var all sync.WaitGroup
	all.Add(n)
	return func(rank int) func(string) ([]string, error) {
		return func(text string) ([]string, error) {
			if !connected {
				text = regexp.MustCompile(`"Addresses":.*,"Token"`).ReplaceAllString(text, `"Token"`)
			}
			texts[rank] = text
			all.Done()
			all.Wait()
			return texts, nil
		}
	}
}

// report is a call of Reports.
type report struct {
	rank int
	end  bool // else Stalled
	why  string
}

// join returns a watchdog for each rank, connected over TCP or not, and their reports. Ranks with different elements of
// each behave as different processes.
func join(t *testing.T, quiet time.Duration, connected bool, each ...*Ranks) ([]*Watchdog, chan report) {
	t.Helper()
	all := exchange(len(each), connected)
	dogs, reports := make([]*Watchdog, len(each)), make(chan report, 100)
	var joining sync.WaitGroup
	for r := range each {
		joining.Go(func() {
			var err error
			dogs[r], err = Join(r, each[r], quiet, all(r), Reports{
				Stalled: func(why string) { reports <- report{r, false, why} },
				End:     func(why string) { reports <- report{r, true, why} },
				Exit:    func() {},
			})
			expect.That(t, err == nil, "%v", err)
		})
	}
	joining.Wait()
	for _, d := range dogs {
		t.Cleanup(d.Close)
	}
	return dogs, reports
}

// piped returns the same in a bubble of synctest: links are pipes, because a goroutine that waits for the network stops
// the bubble's time. The ranks from silent on reply to nothing.
func piped(t *testing.T, quiet time.Duration, silent int, each ...*Ranks) ([]*Watchdog, chan report) {
	t.Helper()
	dogs, reports := join(t, quiet, false, each...)
	dogs[0].stopListening()
	for r, d := range dogs[1:] {
		first, other := net.Pipe()
		go dogs[0].keep(r+1, newLink(buffer(first)))
		if r+1 < silent {
			go d.keep(0, newLink(buffer(other)))
		} else {
			go func() { _, _ = io.Copy(io.Discard, other) }()
		}
	}
	synctest.Wait()
	return dogs, reports
}

// buffered is a pipe whose writers do not wait for the reader, as with TCP. Empty text closes it.
type buffered struct {
	net.Conn
	texts  chan []byte
	closed chan struct{}
}

func buffer(conn net.Conn) buffered {
	b := buffered{conn, make(chan []byte, 100), make(chan struct{})}
	go func() {
		defer close(b.closed)
		defer conn.Close()
		for text := range b.texts {
			if _, err := conn.Write(text); text == nil || err != nil {
				return
			}
		}
	}()
	return b
}

func (b buffered) Write(text []byte) (int, error) {
	select {
	case b.texts <- slices.Clone(text):
		return len(text), nil
	case <-b.closed:
		return 0, net.ErrClosed
	}
}

func (b buffered) Close() error {
	_, err := b.Write(nil)
	return err
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

// Ranks of other processes are queried over TCP.
func TestRanksOfOtherProcesses(t *testing.T) {
	each := []*Ranks{{}, {}, {}}
	for r, ranks := range each {
		ranks.Self(r).Collectives.Store(7)
	}
	each[2].Self(2).Collectives.Store(6)
	each[2].Self(2).Begin("kernel 1")
	dogs, reports := join(t, soon, true, each...)
	linked(dogs)
	got := <-reports
	for strings.Contains(got.why, "no TCP connection") { // before ranks were linked
		got = <-reports
	}
	expect.That(t, !got.end && got.rank == 0 && strings.Contains(got.why, "rank 2 (node ") &&
		strings.HasSuffix(got.why, "is still in kernel 1"), "the report is %v", got)
	each[0].Self(0).Collectives.Store(8)
	expect.Equal(t, <-reports, report{}, "after progress")
	f := dogs[1].examine()
	expect.That(t, f == (finding{}), "rank 0 replies, but rank 1 reports %+v", f)
}

// ends waits until all these ranks have ended, which the rank by, and only that, explains with the words.
func ends(t *testing.T, reports chan report, ranks, by int, words string) {
	t.Helper()
	ended := map[int]bool{}
	for len(ended) < ranks {
		got := <-reports
		if !got.end {
			continue
		}
		explains := got.rank == by
		expect.That(t, !ended[got.rank] && (got.why != "") == explains && (!explains || strings.Contains(got.why, words)),
			"rank %d ends with %q, want %q of rank %d", got.rank, got.why, words, by)
		ended[got.rank] = true
	}
}

// A rank whose process has ended ends the job after a time without progress.
func TestRankThatHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dogs, reports := piped(t, timeout.Quiet, 3, &Ranks{}, &Ranks{}, &Ranks{})
		began := time.Now()
		dogs[2].links[0].conn.Close()
		ends(t, reports, 2, 0, "rank 2 (node ")
		took := time.Since(began)
		expect.That(t, took >= timeout.Quiet && took <= timeout.Quiet+timeout.Quiet/timeout.Looks, "it takes %v", took)
	})
	synctest.Test(t, func(t *testing.T) { // also after a report of a stall
		each := []*Ranks{{}, {}, {}}
		each[0].Self(0).Collectives.Store(1)
		dogs, reports := piped(t, timeout.Quiet, 3, each...)
		got := <-reports
		expect.That(t, !got.end && strings.Contains(got.why, "is still in"), "before the end: %v", got)
		began := time.Now()
		dogs[2].links[0].conn.Close()
		ends(t, reports, 2, 0, "rank 2 (node ")
		took := time.Since(began)
		expect.That(t, took <= timeout.Quiet+timeout.Quiet/timeout.Looks, "after a report of a stall it takes %v", took)
	})
	synctest.Test(t, func(t *testing.T) {
		dogs, reports := piped(t, timeout.Quiet, 2, &Ranks{}, &Ranks{})
		dogs[0].links[1].conn.Close() // both sides see the end of the other
		for range dogs {
			got := <-reports
			expect.That(t, got.end && strings.Contains(got.why, "has ended: it was killed"), "%v", got)
		}
	})
}

// A rank that works longer than others is no stall; one that does no work is.
func TestRankThatWorksLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		each := []*Ranks{{}, {}}
		each[0].Self(0).Collectives.Store(1)
		_, reports := piped(t, timeout.Quiet, 2, each...)
		for range 20 {
			time.Sleep(timeout.Quiet / 2)
			each[1].Self(1).Work.Add(1)
		}
		expect.Equal(t, len(reports), 0, "reports while rank 1 works")
		got := <-reports
		expect.That(t, !got.end && strings.Contains(got.why, "is still in"), "rank 1 does no more: %v", got)
		each[1].Self(1).Work.Add(1)
		expect.Equal(t, <-reports, report{}, "rank 1 works again")
	})
}

// A rank whose connection has failed connects again, and has not ended.
func TestConnectionThatFails(t *testing.T) {
	dogs, reports := join(t, never, true, &Ranks{}, &Ranks{})
	linked(dogs)
	first := dogs[0].linkTo(1)
	first.conn.Close()
	<-first.broken
	for dogs[0].linkTo(1) == first {
		time.Sleep(time.Millisecond)
	}
	dogs[0].EndWithOthers()
	f := dogs[0].examine()
	expect.That(t, f.silent == "" && len(reports) == 0, "rank 1 is linked again, and rank 0 reports %q", f.silent)
}

// After a signal, a rank that has ended is named at once; a rank that has closed its watchdog is not.
func TestSignalOfALauncher(t *testing.T) {
	for _, closes := range []bool{false, true} {
		dogs, reports := join(t, never, true, &Ranks{}, &Ranks{}, &Ranks{})
		linked(dogs)
		if closes {
			dogs[2].Close()
		} else {
			dogs[2].links[0].conn.Close()
		}
		<-dogs[0].links[2].broken
		dogs[0].EndWithOthers()
		if closes {
			expect.Equal(t, len(reports), 0, "a rank has left the job, reports of the others")
			continue
		}
		ends(t, reports, 2, 0, "rank 2 (node ")
	}
}

// A rank that fails ends the job with the name of a silent rank, if there is one. Otherwise the first rank that fails
// continues, and the others leave it the time to end the job. Ranks that fail together cause one query of each rank.
func TestFailing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dogs, _ := piped(t, never, 3, &Ranks{}, &Ranks{}, &Ranks{})
		began := time.Now()
		for i, held := range []time.Duration{0, timeout.Hold, timeout.Hold} {
			dogs[(i+1)%3].Failing()
			expect.Equal(t, time.Since(began), held, "rank", (i+1)%3, "which fails as number", i+1, "continues after")
			began = time.Now()
		}
	})
	synctest.Test(t, func(t *testing.T) {
		dogs, reports := piped(t, never, 3, &Ranks{}, &Ranks{}, &Ranks{}, &Ranks{})
		to3, began := dogs[0].linkTo(3), time.Now()
		var failing sync.WaitGroup
		for _, d := range dogs[:3] {
			failing.Go(d.Failing)
		}
		ends(t, reports, 3, 0, "rank 3 (node ")
		took := time.Since(began)
		expect.That(t, took >= timeout.Reply && took <= 2*timeout.Reply, "the job ends after %v", took)
		failing.Wait()
		expect.Equal(t, to3.queries, 1, "queries of ranks that fail together")
	})
}

// A connection without the token of the job is refused.
func TestOthersAreNotRanks(t *testing.T) {
	dogs, _ := join(t, soon, true, &Ranks{}, &Ranks{})
	linked(dogs)
	before := dogs[0].links[1]
	intruder := &Watchdog{rank: 1, ranks: &Ranks{}, links: map[int]*link{}}
	intruder.connect(card{Addresses: []string{fmt.Sprint(dogs[0].listener.Addr())}, Token: "guess"}, true)
	dogs[0].mu.Lock()
	defer dogs[0].mu.Unlock()
	expect.That(t, dogs[0].links[1] == before && len(intruder.links) == 0, "rank 0 accepts it as rank 1")
}

// A panic of the watchdog becomes one of the rank that closes it.
func TestPanicIsTheCallersOfClose(t *testing.T) {
	d := &Watchdog{done: make(chan struct{})}
	commtest.EndsByPanic(t, "TestPanicIsTheCallersOfClose", func() {
		d.faults.Catch(func() { panic(commtest.ErrPlanted) })
		d.Close()
	})
}
