// SPDX-License-Identifier: Apache-2.0

package watchdog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"g500/internal/panics"
	"g500/internal/timeout"
)

// again is the period of repeated reports.
const again = 30 * time.Second

// Watchdog is the watchdog of one rank.
type Watchdog struct {
	rank  int
	names []string // of all ranks
	ranks *Ranks
	all   bool // all ranks are in this process
	quiet time.Duration

	reports Reports
	ending  sync.Once   // the end of this process by reports.End
	failed  atomic.Bool // of rank 0: a rank has failed

	failures singleflight.Group

	mu       sync.Mutex
	links    map[int]*link
	listener net.Listener // of rank 0
	closed   bool
	done     chan struct{}
	faults   panics.Kept // of goroutines, until Close
}

// Reports are called from other goroutines.
type Reports struct {
	// Stalled receives the ranks for which the others wait, "" if the job makes progress again.
	Stalled func(why string)
	// End prints why this process ends: a rank is silent, because its process does not answer or has ended. why is "" on
	// ranks that end without a message. If End is nil, silent ranks are reported by Stalled.
	End func(why string)
	// Exit ends this process, after End, when the other ranks have been sent the end of the job.
	Exit func()
}

// card is the first message of each rank to all ranks.
type card struct {
	Node      string
	Process   int
	Addresses []string // of rank 0's listener; empty on other ranks, and if rank 0 cannot listen
	Token     string   // authenticates the ranks
}

// Join connects the ranks, and reports stalls and silent ranks until the watchdog is closed. It is collective: exchange
// returns the texts of all ranks. quiet is the time without progress after which ranks are queried, usually
// timeout.Quiet.
func Join(rank int, ranks *Ranks, quiet time.Duration, exchange func(string) ([]string, error), to Reports) (*Watchdog,
	error) {
	d := &Watchdog{rank: rank, ranks: ranks, quiet: quiet, reports: to, links: map[int]*link{},
		done: make(chan struct{})}
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
		go d.faults.Catch(func() { d.accept(mine.Token) })
	default:
		go d.faults.Catch(func() { d.stayConnected(cards[0], cards[0].Node == node) })
	}
	if len(d.names) > 1 && (d.rank == 0 || d.rank == 1 && !d.all) {
		go d.faults.Catch(d.watch)
	}
	return d, nil
}

func (d *Watchdog) watch() {
	tick := time.NewTicker(d.quiet / timeout.Looks)
	defer tick.Stop()
	self := d.ranks.Self(d.rank)
	last, since, ticked := self.progress(), time.Now(), time.Now()
	var reported, examined time.Time // of the last report and examination of this stall; zero without one
	var seen string                  // the progress of all ranks in that examination
	for {
		select {
		case <-d.done:
			return
		case <-tick.C:
		}
		if stopped := time.Since(ticked) > d.quiet; stopped { // perhaps with all other ranks, by the batch system
			since = time.Now()
		}
		ticked = time.Now()
		if now := self.progress(); now != last {
			reported = d.continues(reported)
			last, since, examined, seen = now, time.Now(), time.Time{}, ""
			continue
		}
		if time.Since(since) < d.quiet || time.Since(examined) < d.quiet {
			continue
		}
		found := d.examine()
		examined = time.Now()
		if self.progress() != last || d.isClosed() || time.Since(ticked) > timeout.Reply+d.quiet {
			continue
		}
		stall := fmt.Sprintf("no progress for %.0f s in %s", time.Since(since).Seconds(), last.Step)
		if found.silent != "" && d.reports.End != nil {
			found.silent += "; " + stall
			d.end(found)
			return
		}
		if found.progress != seen { // others work, and this rank waits for them
			reported, seen = d.continues(reported), found.progress
			continue
		}
		if cause := cmp.Or(found.cause, found.silent); cause != "" && time.Since(reported) >= again {
			d.reports.Stalled(stall + ": " + cause)
			reported = time.Now()
		}
	}
}

// continues ends a stall that was reported at that time, if it was, and returns the zero time.
func (d *Watchdog) continues(reported time.Time) time.Time {
	if !reported.IsZero() {
		d.reports.Stalled("")
	}
	return time.Time{}
}

// end ends this process and the processes of linked ranks, once. It does nothing without Reports.End.
func (d *Watchdog) end(f finding) {
	if d.reports.End == nil {
		return
	}
	d.ending.Do(func() {
		d.reports.End(f.silent) // first, because the launcher may kill this process when another one ends
		if f.lost {
			time.Sleep(timeout.Notice) // a launcher that ends a job before it notices its lost node may hang
		}
		for _, l := range d.allLinks() {
			_ = l.send(message{End: true}) // a rank that is stopped ends when it continues
		}
		d.reports.Exit()
	})
}

// EndWithOthers ends the job if the process of a rank has ended before its watchdog was closed. It is called after a
// signal, by which launchers end the processes of such a job.
func (d *Watchdog) EndWithOthers() {
	var ended []string
	for r, l := range d.allLinks() {
		if l.ended() && d.rank <= 1 {
			ended = append(ended, d.names[r]+" "+hasEnded)
		}
	}
	if len(ended) > 0 && !d.isClosed() {
		slices.Sort(ended)
		d.end(finding{silent: listed(ended)})
	}
}

// Failing is called with an error of this rank, before it ends the job. If a rank is silent, the job ends with that
// rank's name. Otherwise Failing returns, at once on the first rank that fails, on others after a time in which the
// first one ends the job.
func (d *Watchdog) Failing() {
	if d.all || len(d.names) < 2 {
		return
	}
	first := false
	if d.rank == 0 {
		first = d.isFirstToFail()
	} else if l := d.linkTo(0); l != nil {
		reply, _ := l.query(message{Failing: true}, 2*timeout.Reply) // rank 0 may query silent ranks
		first = reply.First
		if d.rank == 1 && !first {
			d.endIfSilent()
		}
	}
	if !first {
		time.Sleep(timeout.Hold)
	}
}

// isFirstToFail reports on rank 0 whether no other rank has failed before. It ends the job if a rank is silent.
func (d *Watchdog) isFirstToFail() bool {
	first := d.failed.CompareAndSwap(false, true)
	d.endIfSilent()
	return first
}

// endIfSilent queries the ranks once for all ranks that fail at the same time.
func (d *Watchdog) endIfSilent() {
	_, _, _ = d.failures.Do("", func() (any, error) {
		if f := d.examine(); f.silent != "" {
			d.end(f)
		}
		return nil, nil
	})
}

// finding is what queries have found.
type finding struct {
	silent string // the silent ranks, "" for none
	lost   bool   // a silent rank's node is lost
	cause  string // of a stall, "" for none
	// progress describes the progress of all ranks; a job stalls if two examinations find the same.
	progress string
}

// examine queries the ranks. Rank 0 queries all ranks; rank 1 queries only rank 0, and leaves the report to rank 0 if
// that replies.
func (d *Watchdog) examine() finding {
	results := make([]result, len(d.names))
	var queries sync.WaitGroup
	for r := range results {
		if d.rank == 0 || r == 0 {
			queries.Go(func() { d.faults.Catch(func() { results[r] = d.query(r) }) })
		}
	}
	queries.Wait()
	if d.rank != 0 {
		if results[0].replied || !results[0].connected {
			return finding{}
		}
		results = []result{results[0], d.query(d.rank)}
	}
	lost := slices.ContainsFunc(results, func(r result) bool { return r.lost })
	return finding{listed(silentRanks(results, d.names)), lost, verdict(results, d.names), fmt.Sprint(results)}
}

// query returns the progress of one rank.
func (d *Watchdog) query(rank int) (r result) {
	if d.all || rank == d.rank {
		return result{Progress: d.ranks.Self(rank).progress(), connected: true, replied: true}
	}
	if l := d.linkTo(rank); l != nil && !l.left.Load() {
		r.connected = true
		var reply message
		reply, r.replied = l.query(message{}, timeout.Reply)
		r.Progress = reply.Progress
		r.ended = l.ended()
		r.lost = !r.replied && isUnacknowledged(l.conn)
	}
	return r
}

// linkTo returns the link to a rank, nil before it has connected.
func (d *Watchdog) linkTo(rank int) *link {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.links[rank]
}

// allLinks returns the links by rank.
func (d *Watchdog) allLinks() map[int]*link {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.links)
}

// Close ends the watchdog. It panics if the watchdog has panicked.
func (d *Watchdog) Close() {
	d.mu.Lock()
	if !d.closed {
		d.closed = true
		close(d.done)
	}
	for _, l := range d.links {
		_ = l.send(message{Left: true})
		l.conn.Close()
	}
	d.mu.Unlock()
	d.stopListening()
	d.faults.Raise()
}

func (d *Watchdog) isClosed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closed
}
