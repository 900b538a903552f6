package watchdog

import (
	"encoding/json"
	"net"
	"sync"
	"time"
)

// message is what goes over a link: who speaks, once, then questions and answers, with the question's number.
type message struct {
	Token    string    `json:",omitempty"`
	Rank     int       `json:",omitempty"`
	Question int64     `json:",omitempty"`
	Answer   int64     `json:",omitempty"`
	Position *Position `json:",omitempty"`
}

// link is a connection between rank 0 and another one. Either may ask.
type link struct {
	conn    net.Conn
	in      *json.Decoder
	mu      sync.Mutex // of writing
	asked   int64      // questions so far, by the one goroutine that asks
	answers chan message
}

func newLink(conn net.Conn) *link {
	return &link{conn: conn, in: json.NewDecoder(conn), answers: make(chan message, 1)}
}

// send does not wait for a rank that has stopped to read.
func (l *link) send(m message) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.conn.SetWriteDeadline(time.Now().Add(patience))
	return json.NewEncoder(l.conn).Encode(m)
}

// serve answers questions with where this rank is, until the connection ends.
func (l *link) serve(self *Self) {
	defer l.conn.Close()
	for {
		var m message
		if l.in.Decode(&m) != nil {
			return
		}
		switch {
		case m.Question > 0:
			at := self.position()
			if l.send(message{Answer: m.Question, Position: &at}) != nil {
				return
			}
		case m.Position != nil:
			select {
			case l.answers <- m:
			default: // nobody waits for it any more
			}
		}
	}
}

// ask asks the other rank where it is.
func (l *link) ask() (p Position, given bool) {
	select {
	case <-l.answers: // one that came too late
	default:
	}
	l.asked++
	if l.send(message{Question: l.asked}) != nil {
		return p, false
	}
	enough := time.After(patience)
	for {
		select {
		case m := <-l.answers:
			if m.Answer == l.asked {
				return *m.Position, true
			}
		case <-enough:
			return p, false
		}
	}
}
