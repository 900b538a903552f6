// SPDX-License-Identifier: Apache-2.0

package watchdog

import (
	"crypto/rand"
	"net"
	"strconv"
	"time"

	"g500/internal/timeout"
)

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
		go d.guard(func() {
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
