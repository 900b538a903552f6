package bfs

import "g500/comm"

// FormCounter is a transport that counts messages by form.
type FormCounter interface {
	CarryForm(form string) // sets the form of the following messages, a Form constant of package trace; "" for bins
}

// carrying counts messages under a form until end is called, if the transport counts by form.
func carrying(t comm.Transport, form string) (end func()) {
	counter, can := t.(FormCounter)
	if !can {
		return func() {}
	}
	counter.CarryForm(form)
	return func() { counter.CarryForm("") }
}
