package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const events = `
{"Action":"build-output","ImportPath":"g500/x","Output":"x.go:1: broken\n"}
{"Action":"run","Package":"g500/a","Test":"TestGood"}
{"Action":"output","Package":"g500/a","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"pass","Package":"g500/a","Test":"TestGood"}
{"Action":"output","Package":"g500/a","Test":"TestBad","Output":"    a_test.go:7: wrong\n"}
{"Action":"output","Package":"g500/a","Test":"TestGap/sub","Output":"    a_test.go:9: no second core\n"}
{"Action":"fail","Package":"g500/a","Test":"TestBad"}
{"Action":"skip","Package":"g500/a","Test":"TestGap/sub"}
{"Action":"skip","Package":"g500/a","Test":"TestMute"}
{"Action":"output","Package":"g500/a","Output":"FAIL\tg500/a\t0.1s\n"}
{"Action":"fail","Package":"g500/a"}
{"Action":"output","Package":"g500/b","Output":"PASS\n"}
{"Action":"output","Package":"g500/b","Output":"ok  \tg500/b\t0.2s\n"}
{"Action":"skip","Package":"g500/c"}
`

func TestSummaryShowsFailuresAndSkips(t *testing.T) {
	var out strings.Builder
	s := summary{out: &out}
	if err := s.read(strings.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	s.printSkipped()
	want := "x.go:1: broken\n    a_test.go:7: wrong\nFAIL\tg500/a\t0.1s\nok  \tg500/b\t0.2s\n" +
		"skipped g500/a.TestGap/sub: no second core\nskipped g500/a.TestMute: no reason given\n2 Go tests skipped\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	path := filepath.Join(t.TempDir(), "skips")
	for range 2 {
		if err := s.appendSkipped(path); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if lines := "Go test g500/a.TestGap/sub: no second core\nGo test g500/a.TestMute: no reason given\n"; err != nil ||
		string(text) != lines+lines {
		t.Errorf("%q (%v)", text, err)
	}
}

func TestSummaryOfNoJSON(t *testing.T) {
	s := summary{out: new(strings.Builder)}
	if err := s.read(strings.NewReader("panic: x")); err == nil {
		t.Error("text that is no JSON is taken for a test run")
	}
}
