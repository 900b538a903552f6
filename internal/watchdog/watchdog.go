package watchdog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"g500/internal/panics"
)

const (
	patience = 2 * time.Second  // time limit of a query
	again    = 30 * time.Second // period of repeated reports
	// Quiet is the time without progress after which ranks are queried. With the time for queries it is below 10 s.
	Quiet = 5 * time.Second
)

// Watchdog is the watchdog of one rank.
type Watchdog struct {
	rank  int
	names []string // of all ranks
	ranks *Ranks
	all   bool // all ranks are in this process
	quiet time.Duration

	mu       sync.Mutex
	links    map[int]*link
	listener net.Listener // of rank 0
	closed   bool
	done     chan struct{}
	fault    error // of a goroutine that panicked
}

// card is the first message of each rank to all ranks.
type card struct {
	Node      string
	Process   int
	Addresses []string // of rank 0's listener; empty on other ranks, and if rank 0 cannot listen
	Token     string   // authenticates the ranks
}

// Join connects the ranks. It is collective: exchange returns the texts of all ranks. quiet is the time without
// progress after which ranks are queried, usually Quiet.
func Join(rank int, ranks *Ranks, quiet time.Duration, exchange func(string) ([]string, error)) (*Watchdog, error) {
	d := &Watchdog{rank: rank, ranks: ranks, quiet: quiet, links: map[int]*link{}, done: make(chan struct{})}
	node, _ := os.Hostname()
	mine := card{Node: node, Process: os.Getpid()}
	ranks.Self(rank)
	if rank == 0 {
		mine.Addresses, mine.Token = d.listen()
	}
	text, err := json.Marshal(mine)
	if err != nil {
		return nil, err
	}
	texts, err := exchange(string(text))
	if err != nil {
		d.Close()
		return nil, err
	}
	cards := make([]card, len(texts))
	for r := range texts {
		if err := json.Unmarshal([]byte(texts[r]), &cards[r]); err != nil {
			return nil, err
		}
		d.names = append(d.names, fmt.Sprintf("rank %d (node %s, process %d)", r, cards[r].Node, cards[r].Process))
	}
	d.all = ranks.count() == len(texts)
	switch {
	case d.all:
		d.stopListening()
	case rank == 0:
		go d.guard(func() { d.accept(mine.Token) })
	default:
		go d.guard(func() { d.connect(cards[0], cards[0].Node == node) })
	}
	return d, nil
}

// Watch reports stalls until the watchdog is closed. It calls report with "" if the job makes progress again.
func (d *Watchdog) Watch(report func(string)) {
	if len(d.names) > 1 && (d.rank == 0 || d.rank == 1 && !d.all) {
		go d.guard(func() { d.watch(report) })
	}
}

// guard keeps the panic of a goroutine for Close.
func (d *Watchdog) guard(f func()) {
	panics.Catch(f, func(fault error) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.fault = cmp.Or(d.fault, fault)
	})
}

func (d *Watchdog) watch(report func(string)) {
	tick := time.NewTicker(d.quiet / 5)
	defer tick.Stop()
	self := d.ranks.Self(d.rank)
	last, since := self.progress(), time.Now()
	var reported time.Time // of the last report of this stall; zero without one
	for {
		select {
		case <-d.done:
			return
		case <-tick.C:
		}
		if now := self.progress(); now != last {
			if !reported.IsZero() {
				report("")
			}
			last, since, reported = now, time.Now(), time.Time{}
			continue
		}
		if time.Since(since) < d.quiet || !reported.IsZero() && time.Since(reported) < again {
			continue
		}
		cause := d.examine()
		if cause != "" && self.progress() == last && !d.isClosed() {
			report(fmt.Sprintf("no progress for %.0f s in %s: %s", time.Since(since).Seconds(), last.Step, cause))
			reported = time.Now()
		}
	}
}

// examine queries the ranks, and returns the cause of a stall, "" for none. Rank 0 queries all ranks; rank 1 queries
// only rank 0, and leaves the report to rank 0 if it replies.
func (d *Watchdog) examine() string {
	results := make([]result, len(d.names))
	var queries sync.WaitGroup
	for r := range results {
		if d.rank == 0 || r == 0 {
			queries.Go(func() { d.guard(func() { results[r] = d.query(r) }) })
		}
	}
	queries.Wait()
	if d.rank == 0 {
		return verdict(results, d.names)
	}
	if results[0].replied || !results[0].connected {
		return ""
	}
	return verdict([]result{results[0], d.query(d.rank)}, d.names)
}

// query returns the progress of one rank.
func (d *Watchdog) query(rank int) (r result) {
	if d.all || rank == d.rank {
		return result{d.ranks.Self(rank).progress(), true, true}
	}
	d.mu.Lock()
	l := d.links[rank]
	d.mu.Unlock()
	if l != nil {
		r.connected = true
		r.Progress, r.replied = l.query()
	}
	return r
}

// Close ends the watchdog. It panics if the watchdog has panicked.
func (d *Watchdog) Close() {
	d.mu.Lock()
	fault := d.fault
	if !d.closed {
		d.closed = true
		close(d.done)
	}
	for _, l := range d.links {
		l.conn.Close()
	}
	d.mu.Unlock()
	d.stopListening()
	panics.Raise(fault)
}

func (d *Watchdog) isClosed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closed
}
