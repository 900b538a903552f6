// SPDX-License-Identifier: Apache-2.0

package watchdog

import (
	"encoding/json"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"g500/internal/timeout"
)

// message is a message on a link: first the rank and token of the sender, then queries and replies, with a number.
type message struct {
	Token    string   `json:",omitempty"`
	Rank     int      `json:",omitempty"`
	Query    int64    `json:",omitempty"`
	Reply    int64    `json:",omitempty"` // number of the query
	Progress Progress `json:",omitzero"`  // of a reply
	Left     bool     `json:",omitempty"` // the rank has closed its watchdog
	End      bool     `json:",omitempty"` // the receiver must end its process
	Failing  bool     `json:",omitempty"` // of a query: the rank has failed
	First    bool     `json:",omitempty"` // of its reply: no rank has failed before
}

// link is a connection between rank 0 and another rank. Both may send queries.
type link struct {
	conn    net.Conn
	in      *json.Decoder
	writing sync.Mutex
	asking  sync.Mutex // held during a query
	queries int64      // number of queries so far
	replies chan message
	broken  chan struct{} // closed at the end of the connection
	left    atomic.Bool   // message.Left or End
}

func newLink(conn net.Conn) *link {
	return &link{conn: conn, in: json.NewDecoder(conn), replies: make(chan message, 1), broken: make(chan struct{})}
}

// send fails after a time limit if the other rank does not read.
func (l *link) send(m message) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	_ = l.conn.SetWriteDeadline(time.Now().Add(timeout.Reply))
	return json.NewEncoder(l.conn).Encode(m)
}

// serve handles the messages of the other rank until the connection ends: it replies to queries with the progress of
// this rank.
func (l *link) serve(d *Watchdog) {
	defer close(l.broken)
	defer l.conn.Close()
	for {
		var m message
		if l.in.Decode(&m) != nil {
			return
		}
		switch {
		case m.Failing:
			go d.guard(func() { _ = l.send(message{Reply: m.Query, First: d.isFirstToFail()}) })
		case m.Query > 0:
			if l.send(message{Reply: m.Query, Progress: d.ranks.Self(d.rank).progress()}) != nil {
				return
			}
		case m.Reply > 0:
			select {
			case l.replies <- m:
			default: // a reply after the time limit
			}
		case m.Left:
			l.left.Store(true)
		case m.End:
			l.left.Store(true) // it has printed its end
			go d.guard(func() { d.end(finding{}) })
		}
	}
}

// ended reports whether the other rank's process has ended without Close.
func (l *link) ended() bool {
	select {
	case <-l.broken:
		return !l.left.Load()
	default:
		return false
	}
}

// query sends a query and returns the reply; replied is false if there is none within the limit.
func (l *link) query(m message, limit time.Duration) (reply message, replied bool) {
	l.asking.Lock()
	defer l.asking.Unlock()
	select {
	case <-l.replies: // a reply after the time limit of its query
	default:
	}
	l.queries++
	if m.Query = l.queries; l.send(m) != nil {
		return message{}, false
	}
	late := time.After(limit)
	for {
		select {
		case reply := <-l.replies:
			if reply.Reply == m.Query {
				return reply, true
			}
		case <-l.broken:
			return message{}, false
		case <-late:
			return message{}, false
		}
	}
}
