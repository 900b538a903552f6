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
	plans := b.Memory(work)
	var table strings.Builder
	row := func(name, limit string, cells func(Plan) string) {
		line := fmt.Sprintf("%-28s", name)
		for _, p := range plans {
			line += fmt.Sprintf("%16s", cells(p))
		}
		fmt.Fprintln(&table, strings.TrimRight(line+fmt.Sprintf("%12s", limit), " "))
	}
	sized := func(name, limit string, bytes func(Plan) int64) {
		row(name, limit, func(p Plan) string { return gib(bytes(p)) })
	}
	row(fmt.Sprintf("scale %d on %d ranks, GiB", c.Graph.Scale, work.Ranks), "limit", func(p Plan) string {
		if p.InHost > 0 {
			return "tuples in host"
		}
		return b.Name
	})
	sized("edge tuples", "", func(p Plan) int64 { return p.Tuples })
	for i, part := range plans[0].Parts {
		sized(part.Name, "", func(p Plan) int64 { return p.Parts[i].Bytes })
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
	_, err := io.WriteString(w, table.String())
	if err == nil && !slices.ContainsFunc(plans, budgets.Fits) {
		err = b.tooLarge(work, budget, host)
	}
	return err
}

// gib formats bytes in GiB.
func gib(bytes int64) string { return fmt.Sprintf("%.1f", float64(bytes)/(1<<30)) }
