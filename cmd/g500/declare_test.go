package main

import (
	"reflect"
	"strings"
	"testing"

	"g500/comm"
	"g500/comm/agreement"
	"g500/record"
)

// differ returns the error of two ranks with these declarations.
func differ(t *testing.T, first, second agreement.Declaration) error {
	t.Helper()
	errs := make([]error, 2)
	if err := comm.Loopback(2, func(tr comm.Transport) error {
		errs[tr.Rank()] = agreement.Check(tr, [2]agreement.Declaration{first, second}[tr.Rank()])
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return errs[1]
}

// Every setting of a configuration is compared, except the ones that may differ between ranks.
func TestEachSettingIsCompared(t *testing.T) {
	first := (&job{cfg: record.DefaultConfig()}).declare()
	if err := differ(t, first, first); err != nil {
		t.Error(err)
	}
	for i, s := range record.DefaultConfig().Settings() {
		cfg := record.DefaultConfig()
		change(t, &cfg, i)
		err := differ(t, first, (&job{cfg: cfg}).declare())
		if perRank[s.Key] && err != nil || !perRank[s.Key] && (err == nil || !strings.Contains(err.Error(), s.Key+" is ")) {
			t.Errorf("%s: %v", s.Key, err)
		}
	}
}

// change gives setting number i another value.
func change(t *testing.T, cfg *record.Config, i int) {
	t.Helper()
	tables := reflect.ValueOf(cfg).Elem()
	for table := range tables.NumField() {
		if n := tables.Field(table).NumField(); i >= n {
			i -= n
			continue
		}
		switch field := tables.Field(table).Field(i); field.Kind() {
		case reflect.Int, reflect.Int64:
			field.SetInt(field.Int() + 1)
		case reflect.Bool:
			field.SetBool(!field.Bool())
		case reflect.String:
			field.SetString(field.String() + "x")
		case reflect.Array:
			field.Index(0).SetUint(7)
		default:
			t.Fatalf("a setting of kind %v", field.Kind())
		}
		return
	}
}

// Different versions of the program are refused, and different states of the run to resume.
func TestProgramsAndRunsToResumeAreCompared(t *testing.T) {
	cfg := record.DefaultConfig()
	at := func(searches int) agreement.Declaration {
		return (&job{cfg: cfg, earlier: &record.Run{
			Kernels: []record.KernelRun{{Searches: make([]record.Search, searches)}},
		}}).declare()
	}
	if err := differ(t, at(3), at(2)); err == nil || !strings.Contains(err.Error(), "one with 2 searches") {
		t.Error(err)
	}
	was := version
	defer func() { version = was }()
	old := at(3)
	version = "0.1"
	if err := differ(t, old, at(3)); err == nil || !strings.Contains(err.Error(), "install the same program") {
		t.Error(err)
	}
}
