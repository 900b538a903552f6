package watchdog

import (
	"encoding/json"
	"net"
	"sync"
	"time"
)

// message is a message on a link: first the rank and token of the sender, then queries and replies, with a number.
type message struct {
	Token    string    `json:",omitempty"`
	Rank     int       `json:",omitempty"`
	Query    int64     `json:",omitempty"`
	Reply    int64     `json:",omitempty"` // number of the query
	Progress *Progress `json:",omitempty"` // of a reply
}

// link is a connection between rank 0 and another rank. Both may send queries.
type link struct {
	conn    net.Conn
	in      *json.Decoder
	writing sync.Mutex
	queries int64 // number of queries so far, from one goroutine
	replies chan message
	broken  chan struct{} // closed at the end of the connection
}

func newLink(conn net.Conn) *link {
	return &link{conn: conn, in: json.NewDecoder(conn), replies: make(chan message, 1), broken: make(chan struct{})}
}

// send fails after a time limit if the other rank does not read.
func (l *link) send(m message) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	_ = l.conn.SetWriteDeadline(time.Now().Add(patience))
	return json.NewEncoder(l.conn).Encode(m)
}

// serve replies to queries with the progress of this rank, until the connection ends.
func (l *link) serve(self *Self) {
	defer close(l.broken)
	defer l.conn.Close()
	for {
		var m message
		if l.in.Decode(&m) != nil {
			return
		}
		switch {
		case m.Query > 0:
			now := self.progress()
			if l.send(message{Reply: m.Query, Progress: &now}) != nil {
				return
			}
		case m.Progress != nil:
			select {
			case l.replies <- m:
			default: // a reply after the time limit
			}
		}
	}
}

// query returns the progress of the other rank; replied is false if it does not reply in time.
func (l *link) query() (p Progress, replied bool) {
	select {
	case <-l.replies: // a reply after the time limit of its query
	default:
	}
	l.queries++
	if l.send(message{Query: l.queries}) != nil {
		return p, false
	}
	late := time.After(patience)
	for {
		select {
		case m := <-l.replies:
			if m.Reply == l.queries {
				return *m.Progress, true
			}
		case <-l.broken:
			return p, false
		case <-late:
			return p, false
		}
	}
}
