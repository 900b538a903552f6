//go:build cuda && cgo

package gpu

import (
	"errors"
	"slices"

	"g500/comm"
	"g500/cuda"
)

// mail carries messages of 8 bytes between the GPUs: they are binned by rank into out, and arrive in a window.
type mail struct {
	t    DeviceTransport
	room int64 // messages for which out and each window have room
	bins *cuda.Bins
	out  *cuda.Buffer
	in   [2]*Window
}

// openMail is collective. room is the same on all ranks.
func openMail(t DeviceTransport, room int64) (*mail, error) {
	m := &mail{t: t, room: room}
	if err := m.open(); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

func (m *mail) open() (err error) {
	host, d := m.t.Host(), m.t.Device()
	if m.bins, err = d.NewBins(host.Size()); err == nil {
		m.out, err = d.Alloc("messages", cuda.MessageBytes*m.room)
	}
	if err := comm.Agree(host, err); err != nil {
		return err
	}
	for i := range m.in {
		m.in[i], err = m.t.Open("messages", cuda.MessageBytes*m.room)
		if err := comm.Agree(host, err); err != nil {
			return err
		}
	}
	return nil
}

// Close gives the memory back.
func (m *mail) Close() error {
	var faults []error
	if m.bins != nil {
		faults = append(faults, m.bins.Free())
	}
	if m.out != nil {
		faults = append(faults, m.out.Free())
	}
	for _, w := range m.in {
		if w != nil {
			faults = append(faults, w.Close())
		}
	}
	return errors.Join(faults...)
}

// fits reports whether all ranks have room for what all are about to send: bytes[r] from here to rank r.
func (m *mail) fits(bytes []int64) (bool, error) {
	arriving := slices.Clone(bytes)
	err := m.t.Host().AllReduce(arriving, comm.Sum)
	return slices.Max(arriving) <= cuda.MessageBytes*m.room, err
}

// send carries messages that lie in the order of ranks, bytes[r] for rank r, and returns what arrived in window
// number w: the bytes of each rank, and all messages.
func (m *mail) send(from cuda.Memory, bytes []int64, w int) (received []int64, messages int64, err error) {
	received, err = m.t.AllToAll(from, bytes, m.in[w])
	for _, n := range received {
		messages += n / cuda.MessageBytes
	}
	return received, messages, err
}
