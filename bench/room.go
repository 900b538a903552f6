package bench

import (
	"fmt"
	"os"
	"strings"

	"g500/comm"
	"g500/internal/machine"
)

// Room is the memory that a rank can take.
type Room struct {
	Bytes   int64  // for this rank alone; 0 where it is not known
	Holder  string // whose memory it is, as in GPU 0 (NVIDIA H200), or a host's name
	Sharers []int  // the ranks among which the memory of one device is shared out, this one included; nil for a host's
}

// HostRoom is a rank's share of the memory of its host and, where its process has a limit of its own, of what that
// leaves. It is collective.
func HostRoom(t comm.Transport) (Room, error) {
	total, available := machine.Memory()
	_, onHost := t.Node()
	room := Room{Bytes: available / int64(onHost), Holder: machine.Host()}
	if total > 0 {
		room.Bytes = max(room.Bytes, 1) // 0 is for what is not known
	}
	inProcess, err := Sharers(t, fmt.Sprint(machine.HostID(), " ", os.Getpid()))
	if limit, left := machine.AddressSpace(); limit > 0 && err == nil {
		if mine := max(left/int64(len(inProcess)), 1); total == 0 || mine < room.Bytes {
			room = Room{Bytes: mine, Holder: fmt.Sprintf("a process on %s (ulimit -v %d)", room.Holder, limit>>10)}
		}
	}
	return room, err
}

// checkMemory refuses a run that does not fit into the memory that this rank can take, and has noted which ranks share
// a device.
func (b *benchmark) checkMemory() error {
	room, err := HostRoom(b.t)
	if err != nil {
		return err
	}
	if b.kit.Room != nil {
		room = b.kit.Room()
	}
	if err := b.noteSharers(room); err != nil {
		return err
	}
	p, ranks, validated := b.cfg.Params(), b.t.Size(), b.cfg.Search.Validate
	plan := b.kit.Memory(p, ranks, validated)
	b.watch.Plan(plan, ranks)
	if room.Bytes == 0 || plan.Total() <= room.Bytes {
		return nil
	}
	cure := "use it, or more hosts"
	if p.Scale > b.kit.MaxScale {
		cure = fmt.Sprintf("use it; no number of hosts runs more than scale %d, where the vertex numbers of engine %s end",
			b.kit.MaxScale, b.kit.Name)
	}
	return fmt.Errorf("scale %d needs %s on each of %d ranks, and %s has %s for each; "+
		"the largest scale that fits is %d: %s",
		p.Scale, Bytes(plan.Total()), ranks, room.Holder, Bytes(room.Bytes),
		LargestScale(b.kit, p, ranks, validated, room.Bytes), cure)
}

// noteSharers notes, for each device that ranks share, who they are and what each can take. Such a run is slower than
// one with a device for each rank. It is collective.
func (b *benchmark) noteSharers(room Room) error {
	sentence := ""
	if len(room.Sharers) > 1 && room.Sharers[0] == b.t.Rank() {
		names := strings.Trim(strings.ReplaceAll(fmt.Sprint(room.Sharers), " ", ", "), "[]")
		sentence = fmt.Sprintf("ranks %s share %s of %s, with %s of memory for each",
			names, room.Holder, machine.Host(), Bytes(room.Bytes))
	}
	all, err := Tell(b.t, sentence)
	for _, sentence := range all {
		if sentence != "" {
			b.note("%s", sentence)
		}
	}
	return err
}
