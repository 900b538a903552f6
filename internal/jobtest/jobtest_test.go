// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"g500/internal/expect"
)

func TestCheck(t *testing.T) {
	const refusal = "g500: rank 0: the file is empty\n"
	for _, c := range []struct {
		name string
		job  job
		end  end
		want string // part of the fault, "" for none
	}{
		{"valid", job{}, end{out: "block\nVALID\n"}, ""},
		{"valid in JSON", job{json: true}, end{out: `{"status": "VALID"}`}, ""},
		{"refused", job{want: mayFail}, end{status: 1, errOut: "note\n" + refusal}, ""},
		{"refused by each MPI rank", job{want: mustFail}, end{status: 2, errOut: refusal + refusal}, ""},
		{"not validated", job{want: notChecked},
			end{status: 1, out: "INVALID: the trees were not validated (2 of 2)\n"}, ""},
		{"no edge", job{want: mayFail}, end{status: 1, out: "INVALID: no vertex has an edge to another vertex\n"}, ""},

		{"hang", job{want: mayFail}, end{hung: true, status: 1, errOut: refusal}, "time limit"},
		{"panic", job{want: mayFail}, end{status: 2, errOut: "panic: nil\n\ngoroutine 1 [running]:"}, "panic:"},
		{"bad format verb", job{want: mayFail}, end{status: 1, errOut: "g500: %!d(string=x)\n"}, "%!"},
		{"raw bytes", job{want: mayFail}, end{status: 1, errOut: "g500: \x00\x01\n"}, "not text"},
		{"escaped bytes", job{want: mayFail}, end{status: 1, errOut: `g500: "\x00\x00\x00\x00\x00"`}, "binary"},
		{"two sentences", job{want: mayFail}, end{status: 1, errOut: refusal + "g500: another\n"}, "2 sentences"},
		{"silent", job{want: mayFail}, end{status: 1}, "without a sentence"},
		{"silent success", job{want: mayFail}, end{}, "exit status 0"},
		{"error and success", job{}, end{out: "VALID\n", errOut: refusal}, "with an error"},
		{"VALID and failure", job{want: mayFail}, end{status: 1, out: "VALID\n", errOut: refusal}, "VALID"},
		{"wrong tree", job{want: mayFail}, end{status: 1, out: "INVALID: root 3: rule 2 is broken\n"}, "wrong result"},
		{"must be valid", job{}, end{status: 1, errOut: refusal}, "must be VALID"},
		{"must be refused", job{want: mustFail}, end{out: "VALID\n"}, "must be refused"},
		{"broken JSON", job{json: true}, end{out: "{"}, "JSON"},
		{"killed", job{want: mayFail}, end{status: -1}, "signal"},
	} {
		got := check(c.job, c.end)
		expect.That(t, (got == "") == (c.want == "") && strings.Contains(got, c.want), "%s: %q, want %q", c.name, got, c.want)
	}
}

func TestAgreementFindsAnotherComponent(t *testing.T) {
	j := job{number: 7, json: true, graph: graph{name: "grid", vertices: 4, edges: 3}}
	stored := func(vertices, reached string) string {
		return `{"graph": {"vertices": ` + vertices + `, "edges": 3}, "kernels": [
			{"searches": []}, {"searches": [{"root": 1, "edges": 3, "reached_vertices": ` + reached + `}]}]}`
	}
	a := agreement{}
	for _, c := range []struct{ out, want string }{
		{stored("4", "4"), ""},
		{stored("4", "4"), ""},
		{stored("4", "3"), "job 7 found 4 over 3"},
		{stored("5", "4"), "5 vertices and 3 edges, and must have 4 and 3"},
		{stored("4", "1"), "1 vertices over 3"},
		{`{"kernels": []}`, "has no search"},
	} {
		got := a.check(j, c.out)
		expect.That(t, (got == "") == (c.want == "") && strings.Contains(got, c.want), "%s: %q, want %q", c.out, got, c.want)
	}
}
