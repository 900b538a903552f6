// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"reflect"
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

// kept is a valid run on a CPU.
const kept = "../../analysis/submission/testdata/kept"

// documents are all documents that commands print with --json.
var documents = clitest.Documents{
	{Name: "run", Format: record.Format, Title: "run.json, and the output of g500 run --json",
		Type: reflect.TypeFor[record.Document](), Numbers: reflect.TypeFor[policy.Policy](), Describe: settingUsage},
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

// The record of an invalid run follows its schema. Scripts check other documents.
func TestInvalidRunFollowsTheSchema(t *testing.T) {
	run, err := record.Read(kept)
	expect.NoError(t, err)
	run.Kernels[0].Searches[0].Fault = "rule 1"
	run.Settle()
	var invalid bytes.Buffer
	v, err := documents.Validator("run")
	if err := errors.Join(err, run.WriteJSON(&invalid)); err != nil || run.Status != record.Invalid {
		t.Fatal(run.Status, err)
	}
	expect.NoError(t, v.Check(invalid.Bytes()))
}

// A closed schema refuses another member, a missing one, and a value of another type.
func TestSchemasRefuse(t *testing.T) {
	out := mustCall(t, "net", "--json", "--ranks", "2", "--sizes", "8", "--repeats", "1")
	for old, now := range map[string]string{
		`"on_devices": false`: `"on_devices": 0`, `"links"`: `"link"`, `"format": 2`: `"format": 3`, `"from": 0,`: ``,
		`"to"`: `"more": 1, "to"`,
	} {
		v, err := documents.Validator("net")
		expect.NoError(t, err)
		if err = v.Check([]byte(strings.ReplaceAll(out, old, now))); err == nil || !strings.Contains(out, old) {
			t.Errorf("%s in place of %s is accepted", now, old)
		}
	}
}

// Documents that this program wrote before follow the present schema of their format. They stay as they are: a schema
// that refuses one needs another format.
func TestEarlierDocumentsFollowTheirSchemas(t *testing.T) {
	for _, name := range schema.Names() {
		text, err := schema.Of(name)
		expect.NoError(t, err)
		v := expect.Value(schematest.NewValidator(text))(t)
		expect.NoError(t, v.Check([]byte(read(t, filepath.Join("testdata", "documents", name+".json")))), name)
	}
}
