// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"g500/record"
)

// WritePlan writes the memory of each rank for a run on the official graph in GiB, by part, with a column for each of
// the backend's plans. It returns an error if no plan fits the memory that each rank has.
func (b Backend) WritePlan(w io.Writer, c record.Config, budget, host Budget) error {
	if err := b.checkScale(c); err != nil {
		return err
	}
	work, budgets := WorkOf(c, c.Machine.Ranks), Budgets{budget.Bytes, host.Bytes}
	plans, err := b.plans(work)
	if err != nil {
		return err
	}
	var table strings.Builder
	row := func(name, limit string, cells func(Plan) string) {
		line := fmt.Sprintf("%-28s", name)
		for _, p := range plans {
			line += fmt.Sprintf("%18s", cells(p))
		}
		fmt.Fprintln(&table, strings.TrimRight(line+fmt.Sprintf("%12s", limit), " "))
	}
	sized := func(name, limit string, bytes func(Plan) int64) {
		row(name, limit, func(p Plan) string { return gib(bytes(p)) })
	}
	row(fmt.Sprintf("scale %d on %d ranks, GiB", c.Graph.Scale, work.Ranks), "limit", func(p Plan) string {
		where := map[string]string{"host": "in host", "generated": "generated"}[p.EdgeMemory]
		switch {
		case p.Packed && where != "":
			return "packed, " + where
		case p.Packed:
			return "packed"
		case where != "":
			return "tuples " + where
		}
		return b.Name
	})
	sized("edge tuples", "", func(p Plan) int64 { return p.Tuples })
	for _, name := range partNames(plans) {
		sized(name, "", func(p Plan) int64 { return p.part(name) })
	}
	sized("kernel 1 or validation", "", func(p Plan) int64 { return max(p.Building, p.Validator) })
	sized("sum", gib(budget.Bytes), Plan.Total)
	if slices.ContainsFunc(plans, func(p Plan) bool { return p.InHost > 0 }) {
		sized("host memory", gib(host.Bytes), Plan.host)
	}
	row("fits", "", func(p Plan) string {
		if budgets.Fits(p) {
			return "yes"
		}
		return "no"
	})
	_, err = io.WriteString(w, table.String())
	if err == nil && !slices.ContainsFunc(plans, budgets.Fits) {
		err = b.tooLarge(work, budget, host)
	}
	return err
}

// plans returns the plans for a work, or the error of Check.
func (b Backend) plans(w Work) ([]Plan, error) {
	if b.Check != nil {
		if err := b.Check(w); err != nil {
			return nil, err
		}
	}
	return b.Memory(w), nil
}

// partNames returns the names of the parts of all plans: in the order of the plan with the most parts.
func partNames(plans []Plan) (names []string) {
	longest := slices.MaxFunc(plans, func(a, b Plan) int { return len(a.Parts) - len(b.Parts) })
	for _, part := range longest.Parts {
		names = append(names, part.Name)
	}
	return names
}

// part returns the bytes of a part, 0 if the plan has none of that name.
func (p Plan) part(name string) int64 {
	i := slices.IndexFunc(p.Parts, func(part Part) bool { return part.Name == name })
	if i < 0 {
		return 0
	}
	return p.Parts[i].Bytes
}

// gib formats bytes in GiB.
func gib(bytes int64) string { return fmt.Sprintf("%.1f", float64(bytes)/(1<<30)) }
