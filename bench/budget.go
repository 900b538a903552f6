package bench

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"g500/bfs"
	"g500/comm"
	"g500/internal/machine"
	"g500/sssp"
)

// Budget is the memory that a rank can take.
type Budget struct {
	Bytes   int64  // for this rank alone; 0 where it is not known
	Holder  string // whose memory it is, as in GPU 0 (NVIDIA H200), or a host's name
	Sharers []int  // the ranks among which the memory of one device is shared out, this one included; nil for a host's
}

// HostBudget is a rank's share of the memory of its host and, where its process has a limit of its own, of what that
// leaves. It is collective.
func HostBudget(t comm.Transport) (Budget, error) {
	total, available := machine.Memory()
	_, onHost := comm.Place(t)
	room := Budget{Bytes: available / int64(onHost), Holder: machine.Node()}
	if total > 0 {
		room.Bytes = max(room.Bytes, 1) // 0 is for what is not known
	}
	inProcess, err := comm.Sharers(t, fmt.Sprint(machine.NodeID(), " ", os.Getpid()))
	if limit, left := machine.AddressSpace(); limit > 0 && err == nil {
		if mine := max(left/int64(len(inProcess)), 1); total == 0 || mine < room.Bytes {
			room = Budget{Bytes: mine, Holder: fmt.Sprintf("a process on %s (ulimit -v %d)", room.Holder, limit>>10)}
		}
	}
	return room, err
}

// checkScale refuses official graphs whose vertex numbers pass those of the backend, before anything is made. Of a
// graph that is not official kernel 1 counts the vertices.
func (b *benchmark) checkScale() error {
	scale, most, of, cure := b.cfg.Graph.Scale, b.backend.MaxScale, "", ""
	if b.searchesPaths() && b.backend.Paths.MaxScale < most {
		most, of, cure = b.backend.Paths.MaxScale, "the shortest paths of ", ", or kernel bfs"
	} else if most < bfs.MaxScale {
		cure = ", or engine cpu"
	}
	if b.input != nil || scale <= most {
		return nil
	}
	return fmt.Errorf("scale %d is beyond %sengine %s, whose vertex numbers end at scale %d: choose a smaller one%s",
		scale, of, b.backend.Name, most, cure)
}

// checkMemory settles in which way the run uses memory, alike on all ranks: the first that fits into what each of them
// can take. It refuses a run that fits in none, and has noted which ranks share a device.
func (b *benchmark) checkMemory() error {
	host, err := HostBudget(b.t)
	if err != nil {
		return err
	}
	room := host
	if b.backend.Budget != nil {
		room = b.backend.Budget()
	}
	if err := b.noteSharers(room); err != nil {
		return err
	}
	if b.searchesPaths() {
		b.backend = b.backend.planningPaths(sssp.Pruning(b.cfg.Search.Prune))
	}
	plans := b.backend.Memory(b.cfg.Params(), b.t.Size(), b.cfg.Search.Validate)
	rooms := Budgets{room.Bytes, host.Bytes}
	first := slices.IndexFunc(plans, rooms.Fits)
	if first < 0 {
		first = len(plans)
	}
	settled := []int64{int64(first)}
	if err := b.t.AllReduce(settled, comm.Max); err != nil {
		return err
	}
	if settled[0] == int64(len(plans)) {
		b.watch.Plan(plans[0], b.t.Size())
		if first < len(plans) {
			return nil // another rank returns the error
		}
		return b.tooLarge(plans, room, host)
	}
	plan := plans[settled[0]]
	b.watch.Plan(plan, b.t.Size())
	if b.backend.Use != nil {
		b.backend.Use(plan)
	}
	if plan.InHost > 0 {
		b.note("edge tuples in host memory: %s on each rank", Bytes(plan.InHost))
	}
	return nil
}

// tooLarge says that no way fits, and what would.
func (b *benchmark) tooLarge(plans []Plan, room, host Budget) error {
	p, ranks := b.cfg.Params(), b.t.Size()
	var needs []string
	has := fmt.Sprintf("%s has %s for each", room.Holder, Bytes(room.Bytes))
	for _, plan := range plans {
		need := Bytes(plan.Total())
		if plan.InHost > 0 {
			need += fmt.Sprintf(" and %s of its host's memory", Bytes(plan.InHost+besideList))
			has += fmt.Sprintf(", %s %s", host.Holder, Bytes(host.Bytes))
		}
		needs = append(needs, need)
	}
	if b.input != nil {
		return fmt.Errorf("graph %s needs %s on each of %d ranks, and %s: take a smaller graph, or more hosts",
			b.input.spec, strings.Join(needs, ", or "), ranks, has)
	}
	return fmt.Errorf("scale %d needs %s on each of %d ranks, and %s; the largest scale that fits is %d: "+
		"use it, or more hosts", p.Scale, strings.Join(needs, ", or "), ranks, has,
		LargestScale(b.backend, p, ranks, b.cfg.Search.Validate, Budgets{room.Bytes, host.Bytes}))
}

// noteSharers notes, for each device that ranks share, who they are and what each can take. Such a run is slower than
// one with a device for each rank. It is collective.
func (b *benchmark) noteSharers(room Budget) error {
	sentence := ""
	if len(room.Sharers) > 1 && room.Sharers[0] == b.t.Rank() {
		names := strings.Trim(strings.ReplaceAll(fmt.Sprint(room.Sharers), " ", ", "), "[]")
		sentence = fmt.Sprintf("ranks %s share %s of %s, with %s of memory for each: "+
			"a device for each rank searches faster",
			names, room.Holder, machine.Node(), Bytes(room.Bytes))
	}
	all, err := comm.AllGatherTexts(b.t, sentence)
	for _, sentence := range all {
		if sentence != "" {
			b.note("%s", sentence)
		}
	}
	return err
}
