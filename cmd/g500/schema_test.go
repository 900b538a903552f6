package main

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"g500/analysis/compare"
	"g500/analysis/net"
	"g500/cmd/cli/clitest"
	"g500/docs/schema"
	"g500/internal/schematest"
	"g500/policy"
	"g500/record"
	"g500/settings"
)

const schemaFolder = "../../docs/schema"

// documents are all documents that commands print with --json.
var documents = clitest.Documents{
	{Name: "run", Format: record.Format, Title: "run.json, and the output of g500 run --json",
		Type: reflect.TypeFor[record.Document](), Numbers: reflect.TypeFor[policy.Policy](), Describe: settingUsage},
	{Name: "compare", Format: compare.Format, Title: "Output of g500 compare --json",
		Type: reflect.TypeFor[compare.Comparison]()},
	{Name: "net", Format: net.Format, Title: "Output of g500 net --json", Type: reflect.TypeFor[net.Figures]()},
	{Name: "doctor", Format: doctorFormat, Title: "Output of g500 doctor --json", Type: reflect.TypeFor[findings]()},
	{Name: "graph-info", Format: graphInfoFormat, Title: "Output of g500 graph info --json: one entry per graph",
		Type: reflect.TypeFor[graphInfo](), List: true},
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

// Real documents follow their schemas, and have no other members: runs of both kernels that are valid, unvalidated,
// interrupted, resumed, invalid, traced, of several ranks and of graph files.
func TestRunsFollowTheSchema(t *testing.T) {
	v := documents.Validator(t, "run")
	check := func(name, text string) {
		t.Helper()
		if err := v.Check([]byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	below, kinds := storedKinds(t)
	for _, k := range kinds {
		check(k.String(), read(t, filepath.Join(below, k.String(), record.File)))
	}
	run, err := record.Read(filepath.Join(below, kinds[0].String()))
	if err != nil {
		t.Fatal(err)
	}
	run.Kernels[0].Searches[0].Fault = "rule 1"
	run.Settle()
	var invalid strings.Builder
	if err := run.WriteJSON(&invalid); err != nil || run.Status != record.Invalid {
		t.Fatal(run.Status, err)
	}
	check("an invalid run", invalid.String())
	file := filepath.Join(t.TempDir(), "road.mtx")
	mustCall(t, "graph", "convert", "road:30x30", file)
	roots := write(t, "1\n2\n")
	for _, args := range []string{"--ranks 3 --scale 9 --kernel both --trace", "--ranks 2 --scale 8 --engine topdown",
		"--graph file:" + file, "--scale 8 --roots " + roots, "--scale 8 --min-time 20ms --power --power-seconds 1"} {
		check(args, mustCall(t, append(strings.Fields("run --quiet --json "), strings.Fields(args)...)...))
	}
}

func TestOutputsFollowTheirSchemas(t *testing.T) {
	tested.FollowSchemas(t, documents, [][2]string{
		{"compare", "compare --json " + kept + " " + kept},
		{"compare", "compare --json ../../analysis/collect/testdata/set ../../analysis/collect/testdata/set/h200"},
		{"net", "net --json --ranks 3 --sizes 8,4096 --repeats 2"},
		{"doctor", "doctor --json"},
		{"graph-info", "graph info --json kron:scale=6 road:9x9,weights=uniform,symmetric=no"},
	})
}

// A closed schema refuses another member, a missing one, and a value of another type.
func TestSchemasRefuse(t *testing.T) {
	out := mustCall(t, "net", "--json", "--ranks", "2", "--sizes", "8", "--repeats", "1")
	for old, now := range map[string]string{
		`"on_devices": false`: `"on_devices": 0`, `"links"`: `"link"`, `"format": 2`: `"format": 3`, `"from": 0,`: ``,
	} {
		err := documents.Validator(t, "net").Check([]byte(strings.ReplaceAll(out, old, now)))
		if err == nil || !strings.Contains(out, old) {
			t.Errorf("%s in place of %s is accepted", now, old)
		}
	}
}

// Each schema is printed, and another name refused.
func TestSchemaCommand(t *testing.T) {
	for _, name := range schema.Names() {
		if out := mustCall(t, "schema", name); out != read(t, filepath.Join(schemaFolder, name+".json")) {
			t.Errorf("%s differs from its file", name)
		}
	}
	if status, _, errOut := call("schema", "runs"); status != misuse || !strings.Contains(errOut, "run-3") {
		t.Errorf("status %d: %s", status, errOut)
	}
}

// Documents that this program wrote before follow the present schema of their format. They stay as they are: a schema
// that refuses one needs another format.
func TestEarlierDocumentsFollowTheirSchemas(t *testing.T) {
	for _, name := range schema.Names() {
		text, err := schema.Of(name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := schematest.NewValidator(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Check([]byte(read(t, filepath.Join("testdata", "documents", name+".json")))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
