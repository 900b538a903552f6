// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"g500/analysis/collect"
	"g500/internal/machine"
	"g500/internal/output"
	"g500/record"
)

// rules is the address of the rules by which runs are validated.
const rules = "https://graph500.org/?page_id=12"

// Trust says why the results count.
type Trust struct {
	Valid string // the valid ones of all runs, and who validated them
	Rules string // address
	Noise string // why rates are doubtful, "" if they are not
}

// trustOf counts the valid runs and their searches, and names the programs that validated them, in the order of their
// first use. It is empty if no run is valid.
func trustOf(set *collect.Set, programs []Version) Trust {
	all, valid := set.Count()
	if valid == 0 {
		return Trust{}
	}
	searches, validators := 0, map[record.Program]bool{}
	for _, r := range set.Runs {
		if r.TEPS != nil {
			searches += len(r.Searches)
			validators[r.Environment.Program] = true
		}
	}
	var by []string
	for _, v := range programs {
		name := cmp.Or(v.program.Version, v.Name)
		if validators[v.program] && !slices.Contains(by, name) {
			by = append(by, name)
		}
	}
	return Trust{Rules: rules, Noise: set.Noise(), Valid: fmt.Sprintf("%d of %s valid: the program that made them (%s) "+
		"validated the results of all %d searches by its own validator, with all rules of the", valid,
		collect.Count(all, "run"), strings.Join(by, ", "), searches)}
}

// systemTable describes the machines, as the newest run on each records them.
func systemTable(set *collect.Set, on machines) output.Table {
	t := output.Table{Title: "Systems", Note: "As the newest valid run on each machine records them.",
		Head: []string{"machine", "nodes", "processors", "memory", "accelerators", "network", "MPI", "CUDA, driver",
			"operating system", "program"}}
	t.Words = len(t.Head)
	for i, full := range on.full {
		var newest *collect.Run
		for _, r := range set.Runs {
			if r.TEPS != nil && r.Kind.Machine == full && (newest == nil || r.Began.After(newest.Began)) {
				newest = r
			}
		}
		e, facts := newest.Environment, machine.Facts{CPU: newest.Environment.CPU}
		if len(e.Machines) > 0 {
			facts = e.Machines[0].Facts
		}
		t.Row(on.names[i], max(newest.Nodes, 1), processors(facts, e), memory(cmp.Or(facts.MemoryB, e.MemoryB)),
			accelerators(newest), strings.Join(facts.Networks, ", "), cmp.Or(e.MPI, e.Transport), cuda(facts, e.Device),
			strings.Trim(facts.Distro+", "+cmp.Or(facts.Kernel, e.System), ", "), e.Program)
	}
	return t
}

func processors(f machine.Facts, e record.Environment) string {
	text := fmt.Sprintf("%s, %d logical cores", cmp.Or(f.CPU, e.CPU), e.Cores)
	if f.Sockets > 1 {
		text = fmt.Sprintf("%d x %s", f.Sockets, text)
	}
	return text
}

func memory(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf("%d GiB", bytes>>30)
}

// accelerators names the GPUs of a node; of those that the run used, if it does not record others.
func accelerators(r *collect.Run) string {
	if r.Environment.Device == nil {
		return "none"
	}
	gpus := r.Ranks / max(r.Nodes, 1)
	if len(r.Environment.Machines) > 0 {
		gpus = len(r.Environment.Machines[0].GPUs)
	}
	return fmt.Sprintf("%d x %s", gpus, r.Environment.Device.Name)
}

func cuda(f machine.Facts, d *record.Device) string {
	if d == nil {
		return ""
	}
	return strings.Trim(d.Built+", driver "+cmp.Or(f.Driver, d.Driver), ", ")
}

// machines are the machines of a set, the fastest first.
type machines struct{ full, names []string }

// index returns the place of a kind's machine, which has the colour of this number.
func (m machines) index(k collect.Kind) int { return slices.Index(m.full, k.Machine) }

// machinesOf returns the machines of the points.
func machinesOf(points []collect.Point) (m machines) {
	sorted := slices.SortedStableFunc(slices.Values(points),
		func(a, b collect.Point) int { return cmp.Compare(b.TEPS.Median, a.TEPS.Median) })
	for _, p := range sorted {
		if m.index(p.Kind) < 0 {
			m.full = append(m.full, p.Kind.Machine)
		}
	}
	m.names = namesOf(m.full)
	return m
}

// details are parts of a machine's name that readers can do without.
var details = strings.NewReplacer(
	"(R)", "", "(TM)", "", " Processor", "", " CPU", "", " 80GB HBM3", "", " 94GB HBM3", "")

// namesOf returns short names of machines, or their own names if the short ones are not unique.
func namesOf(machines []string) []string {
	var short []string
	for _, m := range machines {
		name := details.Replace(m)
		if name == "" || slices.Contains(short, name) {
			return machines
		}
		short = append(short, name)
	}
	return short
}
