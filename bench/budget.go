// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"g500/bfs"
	"g500/comm"
	"g500/internal/lists"
	"g500/internal/machine"
	"g500/internal/par"
	"g500/record"
	"g500/settings"
)

// Budget is the memory that a rank can use.
type Budget struct {
	Bytes   int64  // for this rank alone; 0 if unknown
	Holder  string // owner of the memory, such as GPU 0 (NVIDIA H200) or the name of a node
	Sharers []int  // all ranks that share the memory of one device; nil for a node's memory
}

// HostBudget returns a rank's share of the memory of its node, or, if less, of the address space that its process has
// left. It is collective.
func HostBudget(t comm.Transport) (Budget, error) {
	total, available := machine.Here.Memory()
	_, onNode := comm.Place(t)
	budget := Budget{Bytes: available / int64(onNode), Holder: machine.Node()}
	if total > 0 {
		budget.Bytes = max(budget.Bytes, 1) // 0 means unknown
	}
	inProcess, err := comm.Sharers(t, machine.Process())
	if limit, left := machine.AddressSpace(); limit > 0 && err == nil {
		if mine := max(left/int64(len(inProcess)), 1); total == 0 || mine < budget.Bytes {
			budget = Budget{Bytes: mine, Holder: fmt.Sprintf("a process on %s (ulimit -v %d)", budget.Holder, limit>>10)}
		}
	}
	return budget, err
}

// ErrBeyond means that an engine has too few vertex numbers for a graph, on any machine.
var ErrBeyond = errors.New("beyond")

// ErrRefused means that a setting of an engine is not for this run.
var ErrRefused = errors.New("is refused")

// checkScale returns ErrBeyond for an official graph with more vertices than the backend can number. In other graphs
// kernel 1 counts the vertices.
func (b Backend) checkScale(c record.Config) error {
	scale, most, of, cure := c.Graph.Scale, b.mostScale(WorkOf(c, 1)), "", ""
	if most < b.MaxScale {
		of, cure = "the shortest paths of ", ", or kernel bfs"
	} else if most < bfs.MaxScale {
		cure = ", or engine cpu"
	}
	if scale <= most {
		return nil
	}
	return fmt.Errorf("scale %d is %w %sengine %s, whose vertex numbers end at scale %d: choose a smaller one%s",
		scale, ErrBeyond, of, b.Name, most, cure)
}

// checkMemory chooses the first memory plan that fits on every rank. It returns an error if none fits, and notes which
// ranks share a device. It is collective.
func (b *benchmark) checkMemory() error {
	host, err := HostBudget(b.t)
	if err != nil {
		return err
	}
	budget := host
	if b.backend.Budget != nil {
		budget = b.backend.Budget()
	}
	if err := b.noteSharers(budget); err != nil {
		return err
	}
	work := WorkOf(b.cfg, b.t.Size())
	work.Directed, work.Counted = b.made.Directed, b.setup.CountEdges && !work.Validated
	plans, err := b.backend.plans(work)
	if err != nil {
		return err
	}
	first := slices.IndexFunc(plans, Budgets{budget.Bytes, host.Bytes}.Fits)
	if first < 0 {
		first = len(plans)
	}
	last, err := comm.Reduce(b.t, int64(first), comm.Max)
	if err != nil {
		return err
	}
	if last == int64(len(plans)) {
		b.watch.Plan(plans[0], b.t.Size())
		if first < len(plans) {
			return nil // another rank returns the error
		}
		return b.tooLarge(work, budget, host)
	}
	plan := plans[last]
	b.watch.Plan(plan, b.t.Size())
	if b.backend.Use != nil {
		b.backend.Use(plan)
	}
	if plan.InHost > 0 {
		b.note("edge tuples in host memory: %s on each rank", Bytes(plan.InHost))
	}
	if plan.EdgeMemory == settings.Generated {
		b.note("edge tuples generated in each pass, inside the clock of kernel 1: the specification recommends a list " +
			"that is stored before it (docs/adr/0091)")
	}
	return nil
}

// tooLarge returns the error for a run without a plan that fits. It names the largest scale that fits.
func (b *benchmark) tooLarge(w Work, budget, host Budget) error {
	if b.graph == nil {
		return b.backend.tooLarge(w, budget, host)
	}
	needs, has := needs(b.backend.Memory(w), budget, host)
	return fmt.Errorf("graph %s needs %s on each of %d ranks, and %s: use a smaller graph, or more nodes",
		b.graph.spec, needs, b.t.Size(), has)
}

// tooLarge returns the error for a run on the official graph without a plan that fits.
func (b Backend) tooLarge(w Work, budget, host Budget) error {
	needs, has := needs(b.Memory(w), budget, host)
	budgets, more := Budgets{budget.Bytes, host.Bytes}, ""
	largest := LargestScale(b, w, budgets)
	if b.Generated != nil && LargestScale(*b.Generated, w, budgets) > largest {
		more = fmt.Sprintf(" (%d with --edge-memory generated)", LargestScale(*b.Generated, w, budgets))
	}
	return fmt.Errorf("scale %d needs %s on each of %d ranks, and %s; the largest scale that fits is %d%s: "+
		"use it, or more nodes", w.Scale, needs, w.Ranks, has, largest, more)
}

// needs describes the memory that the plans need, and the memory that each rank has.
func needs(plans []Plan, budget, host Budget) (needs, has string) {
	var all []string
	has = fmt.Sprintf("%s has %s for each", budget.Holder, Bytes(budget.Bytes))
	for _, plan := range plans {
		need := Bytes(plan.Total())
		if plan.InHost > 0 {
			need += fmt.Sprintf(" and %s of its node's memory", Bytes(plan.host()))
		}
		all = append(all, need)
	}
	if slices.ContainsFunc(plans, func(p Plan) bool { return p.InHost > 0 }) {
		has += fmt.Sprintf(", %s %s", host.Holder, Bytes(host.Bytes))
	}
	return strings.Join(all, ", or "), has
}

// noteSharers notes the ranks that share a device, and their memory: sharing makes a run slower. It is collective.
func (b *benchmark) noteSharers(budget Budget) error {
	sentence := ""
	if len(budget.Sharers) > 1 && budget.Sharers[0] == b.t.Rank() {
		sentence = fmt.Sprintf("ranks %s share %s of %s, with %s of memory for each: a device for each rank searches faster",
			strings.Join(lists.Of(budget.Sharers, strconv.Itoa), ", "), budget.Holder, machine.Node(), Bytes(budget.Bytes))
	}
	all, err := comm.Gathered(b.t, sentence)
	b.notes(all...)
	return err
}

// rankFacts are facts about a rank and its node.
type rankFacts struct {
	Node, Card string         // Card names the GPU, "" for none
	Machine    *machine.Facts // of the node, from one of its ranks
}

// kindsOf groups nodes with equal descriptions, in the order of ranks. Ranks without a description are skipped.
func kindsOf(ranks []rankFacts) (kinds []record.Kind) {
	for _, r := range ranks {
		if r.Machine == nil {
			continue
		}
		same := func(k record.Kind) bool { return reflect.DeepEqual(k.Facts, *r.Machine) }
		kind := lists.At(&kinds, same, record.Kind{Facts: *r.Machine})
		kind.Nodes = append(kind.Nodes, r.Node)
	}
	for i := range kinds {
		kinds[i].Nodes = lists.Distinct(kinds[i].Nodes)
	}
	return kinds
}

// HostCores returns this rank's share of the cores of its node, at least 1. Ranks that are bound to the same cores
// share them, and ranks of a control group share its CPU quota. If the user has set GOMAXPROCS, the ranks of the
// process share that number instead. It tells par the share of the process's ranks together. It is collective.
func HostCores(t comm.Transport) (int, error) {
	host := machine.NodeID()
	quota, group := machine.Here.Quota()
	container := machine.Node() // each container has its own host name
	bound, err1 := comm.Sharers(t, fmt.Sprint(host, " ", machine.Bound()))
	limited, err2 := comm.Sharers(t, fmt.Sprint(host, " ", container, " ", group))
	process, err3 := comm.Sharers(t, machine.Process())
	if err := cmp.Or(err1, err2, err3); err != nil {
		return 0, err
	}
	share := coresOfRank(machine.BoundCores(), len(bound), quota, len(limited))
	if n := machine.GoMaxProcs(); n > 0 {
		par.ShareCores(min(share*len(process), n))
		return max(n/len(process), 1), nil
	}
	par.ShareCores(share * len(process))
	return share, nil
}

// coresOfRank divides cores among the ranks that are bound to them, and a quota among those that it limits, rounded up.
func coresOfRank(cores, bound int, quota float64, limited int) int {
	share := cores / bound
	if quota > 0 {
		share = min(share, int(math.Ceil(quota/float64(limited))))
	}
	return max(share, 1)
}
