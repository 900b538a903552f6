package watchdog

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"sync"
	"time"
)

const (
	patience = 2 * time.Second  // with a rank that is asked
	again    = 30 * time.Second // until the same is told again
	// Quiet is how long there is no progress before ranks are asked. With their time to answer it makes less than 10 s.
	Quiet = 5 * time.Second
)

// Watchdog is one rank's part of the watch.
type Watchdog struct {
	rank  int
	names []string // of the ranks
	ranks *Ranks
	all   bool // all ranks are in this process
	quiet time.Duration

	mu       sync.Mutex
	links    map[int]*link
	listener net.Listener // of rank 0
	closed   bool
	done     chan struct{}
}

// card is what ranks tell each other before they begin.
type card struct {
	Host      string
	Process   int
	Addresses []string // where rank 0 listens; empty elsewhere, and where it cannot
	Token     string   // by which rank 0 knows those that call
}

// Join brings the ranks together. It is collective: tell has each rank tell all others a text. quiet is how long there
// is no progress before ranks are asked, as Quiet.
func Join(rank int, ranks *Ranks, quiet time.Duration, tell func(string) ([]string, error)) (*Watchdog, error) {
	d := &Watchdog{rank: rank, ranks: ranks, quiet: quiet, links: map[int]*link{}, done: make(chan struct{})}
	host, _ := os.Hostname()
	mine := card{Host: host, Process: os.Getpid()}
	ranks.Self(rank)
	if rank == 0 {
		mine.Addresses, mine.Token = d.listen()
	}
	text, err := json.Marshal(mine)
	if err != nil {
		return nil, err
	}
	told, err := tell(string(text))
	if err != nil {
		d.Close()
		return nil, err
	}
	cards := make([]card, len(told))
	for r := range told {
		if err := json.Unmarshal([]byte(told[r]), &cards[r]); err != nil {
			return nil, err
		}
		d.names = append(d.names, fmt.Sprintf("rank %d (host %s, process %d)", r, cards[r].Host, cards[r].Process))
	}
	d.all = ranks.count() == len(told)
	switch {
	case d.all:
		d.hangUp()
	case rank == 0:
		go d.accept(mine.Token)
	default:
		go d.call(cards[0], cards[0].Host == host)
	}
	return d, nil
}

// Watch tells of what does not go on until the watchdog is closed; report is called with "" where it goes on again.
func (d *Watchdog) Watch(report func(string)) {
	if len(d.names) > 1 && (d.rank == 0 || d.rank == 1 && !d.all) {
		go d.watch(report)
	}
}

func (d *Watchdog) watch(report func(string)) {
	tick := time.NewTicker(d.quiet / 5)
	defer tick.Stop()
	self := d.ranks.Self(d.rank)
	last, since := self.position(), time.Now()
	var told time.Time // when it was told that nothing goes on; zero where all goes well
	for {
		select {
		case <-d.done:
			return
		case <-tick.C:
		}
		if now := self.position(); now != last {
			if !told.IsZero() {
				report("")
			}
			last, since, told = now, time.Now(), time.Time{}
			continue
		}
		if time.Since(since) < d.quiet || !told.IsZero() && time.Since(told) < again {
			continue
		}
		why := d.look()
		if why != "" && self.position() == last && !d.isClosed() {
			report(fmt.Sprintf("no progress for %.0f s in %s: %s", time.Since(since).Seconds(), last.Step, why))
			told = time.Now()
		}
	}
}

// look asks the ranks where they are: rank 0 all, and rank 1 rank 0, which will tell of the others if it lives.
func (d *Watchdog) look() string {
	answers := make([]answer, len(d.names))
	var asking sync.WaitGroup
	for r := range answers {
		if d.rank == 0 || r == 0 {
			asking.Go(func() { answers[r] = d.ask(r) })
		}
	}
	asking.Wait()
	if d.rank == 0 {
		return verdict(answers, d.names)
	}
	if answers[0].given || !answers[0].reached {
		return ""
	}
	self := answer{d.ranks.Self(d.rank).position(), true, true}
	return verdict([]answer{answers[0], self}, d.names)
}

// ask asks one rank where it is.
func (d *Watchdog) ask(rank int) (a answer) {
	if d.all || rank == d.rank {
		return answer{d.ranks.Self(rank).position(), true, true}
	}
	d.mu.Lock()
	l := d.links[rank]
	d.mu.Unlock()
	if l == nil {
		return answer{}
	}
	a.reached = true
	a.Position, a.given = l.ask()
	return a
}

// Close ends the watch.
func (d *Watchdog) Close() {
	d.mu.Lock()
	if !d.closed {
		d.closed = true
		close(d.done)
	}
	for _, l := range d.links {
		l.conn.Close()
	}
	d.mu.Unlock()
	d.hangUp()
}

func (d *Watchdog) isClosed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closed
}
