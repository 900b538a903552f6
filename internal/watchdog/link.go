// SPDX-License-Identifier: Apache-2.0

package watchdog

import (
	"crypto/rand"
	"encoding/json"
	"net"
	"strconv"
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
			go d.faults.Catch(func() { _ = l.send(message{Reply: m.Query, First: d.isFirstToFail()}) })
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
			go d.faults.Catch(func() { d.end(finding{}) })
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

// listen opens a port on all addresses of rank 0. If that fails, the run goes on without queries.
func (d *Watchdog) listen() (addresses []string, token string) {
	listener, err := net.Listen("tcp", ":0")
	if err != nil {
		return nil, ""
	}
	d.listener = listener
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	networks, _ := net.InterfaceAddrs()
	for _, n := range networks {
		if ip, ok := n.(*net.IPNet); ok && !ip.IP.IsLinkLocalUnicast() {
			addresses = append(addresses, net.JoinHostPort(ip.IP.String(), port))
		}
	}
	return addresses, rand.Text()
}

func (d *Watchdog) stopListening() {
	if d.listener != nil {
		d.listener.Close()
	}
}

// accept accepts the connections of the other ranks, which send their number and the token.
func (d *Watchdog) accept(token string) {
	for d.listener != nil {
		conn, err := d.listener.Accept()
		if err != nil {
			return
		}
		go d.faults.Catch(func() {
			l := newLink(conn)
			if from, ok := l.receive(token); ok && 0 < from && from < len(d.names) && l.send(message{Token: token}) == nil {
				d.keep(from, l)
			} else {
				conn.Close()
			}
		})
	}
}

// receive reads the first message of a link. ok reports whether it has the token.
func (l *link) receive(token string) (from int, ok bool) {
	var m message
	_ = l.conn.SetReadDeadline(time.Now().Add(timeout.Reply))
	err := l.in.Decode(&m)
	_ = l.conn.SetReadDeadline(time.Time{})
	return m.Rank, err == nil && m.Token == token
}

// stayConnected connects this rank, and connects it again when the network has failed: a broken link means to rank 0
// that this rank has ended.
func (d *Watchdog) stayConnected(to card, sameNode bool) {
	for linked := d.connect(to, sameNode); linked; d.connect(to, sameNode) {
		select {
		case <-d.done:
			return
		case <-time.After(redial):
		}
	}
}

const redial = time.Second

// connect connects this rank to the first of rank 0's addresses on which rank 0 replies with the token. It returns
// false without such an address, else true when the link breaks.
func (d *Watchdog) connect(to card, sameNode bool) bool {
	for _, address := range to.Addresses {
		host, _, _ := net.SplitHostPort(address)
		if net.ParseIP(host).IsLoopback() && !sameNode {
			continue
		}
		conn, err := net.DialTimeout("tcp", address, timeout.Reply)
		if err != nil {
			continue
		}
		l := newLink(conn)
		if l.send(message{Token: to.Token, Rank: d.rank}) == nil {
			if _, ok := l.receive(to.Token); ok {
				d.keep(0, l)
				return true
			}
		}
		conn.Close()
	}
	return false
}

// keep serves a link until it breaks. A broken link is kept: its rank no longer replies.
func (d *Watchdog) keep(rank int, l *link) {
	d.mu.Lock()
	if d.closed {
		l.conn.Close()
	}
	d.links[rank] = l
	d.mu.Unlock()
	l.serve(d)
}
