// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"g500/analysis/collect"
	"g500/analysis/compare"
	"g500/analysis/net"
	"g500/cmd/cli/clitest"
	"g500/docs/schema"
	"g500/internal/expect"
	"g500/internal/schematest"
	"g500/policy"
	"g500/record"
	"g500/settings"
)

// documents are all documents that commands print with --json.
var documents = clitest.Documents{
	{Name: "run", Format: record.Format, Title: "run.json, and the output of g500 run --json",
		Type: reflect.TypeFor[record.Run](), Numbers: reflect.TypeFor[policy.Policy](), Describe: settingUsage},
	{Name: "compare", Format: compare.Format, Title: "Output of g500 compare --json",
		Type: reflect.TypeFor[compare.Comparison]()},
	{Name: "scaling", Format: collect.ScalingFormat, Title: "Output of g500 scale --json",
		Type: reflect.TypeFor[collect.Scaling]()},
	{Name: "net", Format: net.Format, Title: "Output of g500 net --json", Type: reflect.TypeFor[net.Figures]()},
	{Name: "doctor", Format: doctorFormat, Title: "Output of g500 doctor --json", Type: reflect.TypeFor[findings]()},
	{Name: "graph-info", Format: graphInfoFormat, Title: "Output of g500 graph info --json: one entry per graph",
		Type: reflect.TypeFor[graphInfo](), List: true},
	{Name: "validate", Format: record.VerdictsFormat, Title: "Output of g500 validate --json: verdicts on stored results",
		Type: reflect.TypeFor[record.Verdicts]()},
}

// settingUsage returns the description of a setting, "" for other fields.
func settingUsage(t reflect.Type, field string) string {
	member, _ := t.FieldByName(field)
	key := strings.ToLower(strings.TrimSuffix(t.Name(), "Config")) + "." + member.Tag.Get("toml")
	for _, s := range settings.Table {
		if s.Key == strings.TrimPrefix(key, ".") {
			return s.Usage()
		}
	}
	return ""
}

func TestSchemasAreCurrent(t *testing.T) { documents.AreCurrent(t) }

// Documents that this program wrote before follow the present schema of their format. They stay as they are: a schema
// that refuses one needs another format.
func TestEarlierDocumentsFollowTheirSchemas(t *testing.T) {
	for _, name := range schema.Names() {
		v := expect.Value(schematest.NewValidator(expect.Value(schema.Of(name))(t)))(t)
		expect.NoError(t, v.Check([]byte(read(t, filepath.Join("testdata", "documents", name+".json")))), name)
	}
}

// The changes of a member of run.json.
const (
	deleted = "deleted"
	other   = "other"   // a number plus one, a longer text, the other truth value
	negated = "negated" // a number below 0, an empty text, null in place of anything else
	retyped = "retyped" // a text in place of a number, a number in place of anything else
)

// changes returns the values in place of a member, by change. A change to the same value is none.
func changes(value any) map[string]any {
	to := map[string]any{negated: nil, retyped: 7}
	switch value := value.(type) {
	case json.Number:
		x, _ := value.Float64()
		to = map[string]any{other: x + 1, negated: -x, retyped: value.String()}
		if x == 0 {
			delete(to, negated)
		}
	case string:
		to[other], to[negated] = value+"x", ""
	case bool:
		to[other] = !value
	}
	return to
}

// pictures are of one search and show no rate.
const pictures = "pictures of a search, which show no rate"

// free are the members of run.json that the check of a record accepts with another value, as nothing follows from them.
var free = []struct{ why, changes, paths string }{
	{"measured once, and in no rate", other, "graph_generation_seconds kernels[].construction_seconds"},
	{"measured by rank, to find slow ones", deleted + negated, "rank_generation_seconds"},
	{"a rule of submissions checks the keys", other, "config.graph.seeds[]"},
	{"files, which may have moved", deleted + other, "config.output.dir"},
	{"files, which may have moved", other, "config.output.trees"},
	{"already the largest value", deleted, "config.policy.prelaunch config.policy.sssp_slots"},
	{"thresholds of engine gpu, which come and go", deleted + other, "config.policy.*"},
	{"the least time of a measurement that this run did not make", other, "config.search.power_seconds"},
	{"text of the environment", other + negated, "environment.program environment.started environment.cpu " +
		"environment.system environment.go environment.command[] environment.machines[].networks[]"},
	{"text of the environment", negated, "environment.command"},
	{"size of the machines", other, "environment.cores environment.memory_bytes environment.machines[].logical_cores"},
	{"facts that not every system shows", deleted + negated, "environment.machines environment.machines[].networks"},
	{"facts that not every system shows", deleted + other, "environment.machines[].cpu environment.machines[].sockets " +
		"environment.machines[].physical_cores environment.machines[].memory_bytes environment.machines[].kernel " +
		"environment.machines[].distribution environment.machines[].frequency_scaling"},
	{"the depth of a tree", other, "kernels[].searches[].levels"},
	{pictures, other, "kernels[].searches[].trace[].edges kernels[].searches[].trace[].frontier " +
		"kernels[].searches[].trace[].seconds kernels[].searches[].trace[].ranks.computing_seconds[] " +
		"kernels[].searches[].trace[].ranks.exchanging_seconds[] kernels[].searches[].trace[].ranks.waiting_seconds[] " +
		"kernels[].searches[].trace[].ranks.traffic[].sent_bytes[] " +
		"kernels[].searches[].trace[].ranks.traffic[].received_bytes[]"},
	{pictures, other + negated, "kernels[].searches[].trace[].step kernels[].searches[].trace[].ranks.traffic[].payload " +
		"kernels[].searches[].trace[].ranks.traffic[].transport"},
	{pictures, deleted + negated, "kernels[].searches[].trace[].ranks kernels[].searches[].trace[].ranks.traffic"},
}

// listed returns the changes of a path that the list of free fields accepts.
func listed(path string) string {
	for _, f := range free {
		for _, pattern := range strings.Fields(f.paths) {
			below, all := strings.CutSuffix(pattern, "*")
			if pattern == path || all && strings.HasPrefix(path, below) {
				return f.changes
			}
		}
	}
	return ""
}

// A record has every member, and each is right: any change is refused, unless it is on the list of free fields. All
// changes on that list are accepted.
func TestEveryMemberOfARecordCounts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	mustCall(t, "run", "--quiet", "--scale", "8", "--keys", "2", "--kernel", "both", "--ranks", "2", "--threads", "3",
		"--trace", "--output", dir)
	var whole any
	in := json.NewDecoder(strings.NewReader(read(t, filepath.Join(dir, record.File))))
	in.UseNumber()
	expect.NoError(t, in.Decode(&whole))
	accepted := map[string]string{} // the changes of each path
	eachMember(whole, "", func(path, change string) {
		run, err := record.Parse(expect.Value(json.Marshal(whole))(t))
		accepted[path] += ""
		if err == nil && run.Contradiction == "" && !strings.Contains(accepted[path], change) {
			accepted[path] += change
		}
	})
	for path, changes := range accepted {
		for _, change := range []string{deleted, other, negated, retyped} {
			is, want := strings.Contains(changes, change), strings.Contains(listed(path), change)
			expect.Equal(t, is, want, path, change, "accepted", "on the list of free fields")
		}
	}
	for _, f := range free {
		for _, path := range strings.Fields(f.paths) {
			_, has := accepted[path]
			expect.That(t, has || strings.Contains(path, "machines") || strings.HasSuffix(path, "*"), "no member %s", path)
		}
	}
}

// eachMember makes each change of each member below a value, calls try, and restores the member. Of a list, it changes
// the first and the last item, whose path ends in [].
func eachMember(value any, path string, try func(path, change string)) {
	change := func(path string, was any, set func(any)) {
		for name, now := range changes(was) {
			set(now)
			try(path, name)
		}
		set(was)
		eachMember(was, path, try)
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			was, below := value[name], strings.TrimPrefix(path+"."+name, ".")
			change(below, was, func(x any) { value[name] = x })
			delete(value, name)
			try(below, deleted)
			value[name] = was
		}
	case []any:
		for i, was := range value {
			if i == 0 || i == len(value)-1 {
				change(path+"[]", was, func(x any) { value[i] = x })
			}
		}
	}
}
