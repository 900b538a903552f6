package bench

import (
	"g500/comm"
	"g500/internal/machine"
)

// gatherHosts tells every rank the names of all ranks' hosts.
func gatherHosts(t comm.Transport) ([]string, error) {
	send := make([][]byte, t.Size())
	for r := range send {
		send[r] = []byte(machine.Host())
	}
	got, err := t.AllToAll(send)
	hosts := make([]string, len(got))
	for r, name := range got {
		hosts[r] = string(name)
	}
	return hosts, err
}
