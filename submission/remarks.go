package submission

import (
	"fmt"
	"slices"
	"strings"
)

// Remarks are what breaks no rule, and what those who read the submission, or send it, should know.
func (r Run) Remarks() []string {
	remarks := []string{"this is a submission of BFS alone: run --kernel both has SSSP, the third kernel, too"}
	if r.HasSSSP() {
		remarks[0] = "this is a submission of both kernels, BFS and SSSP"
	}
	remark := func(format string, args ...any) { remarks = append(remarks, fmt.Sprintf(format, args...)) }
	for _, doubt := range []string{"unknown", "-dirty"} {
		if strings.Contains(r.Environment.Program, doubt) {
			remark("%s: nobody can build this program again; build it with make from a commit without changes",
				r.Environment.Program)
			break
		}
	}
	for i, part := range r.Parts {
		remark("part %d of the run, up to search %d, began %s on %s, and its kernel 1 %s",
			i+1, part.Searches, part.Environment.Started, strings.Join(hosts(part.Environment), ", "), part.Construction())
	}
	if r.Config.Search.Trace {
		remark("the run kept a trace (--trace), which makes searches a little slower")
	}
	return slices.Concat(remarks, r.Notes)
}
