package watchdog

import (
	"crypto/rand"
	"net"
	"strconv"
	"time"
)

// listen opens a port on all of rank 0's addresses. Where that cannot be, nobody can ask the ranks: the run does not
// fail for it.
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

func (d *Watchdog) hangUp() {
	if d.listener != nil {
		d.listener.Close()
	}
}

// accept takes the calls of the other ranks, each of which says who it is.
func (d *Watchdog) accept(token string) {
	if d.listener == nil {
		return
	}
	for {
		conn, err := d.listener.Accept()
		if err != nil {
			return
		}
		go func() {
			l := newLink(conn)
			var who message
			_ = conn.SetReadDeadline(time.Now().Add(patience))
			if l.in.Decode(&who) != nil || who.Token != token || who.Rank < 1 || who.Rank >= len(d.names) ||
				l.send(message{Token: token}) != nil {
				conn.Close()
				return
			}
			_ = conn.SetReadDeadline(time.Time{})
			d.keep(who.Rank, l)
		}()
	}
}

// call connects this rank to rank 0, at the first of its addresses that answers as rank 0 does.
func (d *Watchdog) call(to card, sameHost bool) {
	for _, address := range to.Addresses {
		host, _, _ := net.SplitHostPort(address)
		if net.ParseIP(host).IsLoopback() && !sameHost {
			continue
		}
		conn, err := net.DialTimeout("tcp", address, patience)
		if err != nil {
			continue
		}
		l := newLink(conn)
		var welcome message
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		if l.send(message{Token: to.Token, Rank: d.rank}) == nil && l.in.Decode(&welcome) == nil &&
			welcome.Token == to.Token {
			_ = conn.SetReadDeadline(time.Time{})
			d.keep(0, l)
			return
		}
		conn.Close()
	}
}

// keep serves a link as long as it holds. A link that breaks stays known: its rank does not answer any more.
func (d *Watchdog) keep(rank int, l *link) {
	d.mu.Lock()
	if d.closed {
		l.conn.Close()
	}
	d.links[rank] = l
	d.mu.Unlock()
	l.serve(d.ranks.Self(d.rank))
}
