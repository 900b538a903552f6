package policy

import (
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// policy.toml has a default for each key, and no other key.
func TestDefaultPolicyIsComplete(t *testing.T) {
	var p Policy
	meta, err := toml.Decode(defaults, &p)
	if err != nil {
		t.Fatal(err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		t.Errorf("unknown keys: %v", unknown)
	}
	for _, key := range Keys() {
		if !meta.IsDefined(key) {
			t.Errorf("%s has no default", key)
		}
	}
	if p != Default() || p.Alpha != 24 || p.ReplicatedEdges != 1<<24 || p.WaitSeconds != 5 {
		t.Errorf("the default is %+v", Default())
	}
	if err := p.Check(); err != nil {
		t.Error(err)
	}
}

// The emulator reads the file line by line, without a TOML library.
func TestDefaultPolicyIsSimple(t *testing.T) {
	line := regexp.MustCompile(`^(#.*|[a-z_]+ = [0-9]+( +#.*)?)?$`)
	for i, text := range strings.Split(defaults, "\n") {
		if !line.MatchString(text) {
			t.Errorf("policy.toml:%d is neither a comment nor key = integer: %s", i+1, text)
		}
	}
}

func TestPolicyIsSetByName(t *testing.T) {
	for i, key := range Keys() {
		var p Policy
		if err := p.Set(key, 7); err != nil {
			t.Error(err)
		}
		for j := range reflect.TypeFor[Policy]().NumField() {
			if got := reflect.ValueOf(p).Field(j).Int(); (got == 7) != (i == j) {
				t.Errorf("%s: number %d is %d", key, j, got)
			}
		}
	}
	var p Policy
	err := p.Set("gamma", 1)
	const want = `a policy has no "gamma"; it has alpha, beta, `
	if err == nil || !strings.Contains(err.Error(), want) || p != (Policy{}) {
		t.Errorf("an unknown key gives %v, %+v", err, p)
	}
}

func TestPolicyOutOfRange(t *testing.T) {
	for _, c := range []struct {
		key   string
		value int64
		want  string // "" if the value is valid
	}{
		{"alpha", 0, ""},
		{"alpha", -1, "alpha = -1: it must be from 0 to 1048576"},
		{"alpha", 1<<20 + 1, "alpha = 1048577: it must be from 0 to 1048576"},
		{"beta", 0, "beta = 0: it must be from 1 to 1048576"},
		{"remaining_share", 0, "remaining_share = 0: it must be from 1 to 1048576"},
		{"few_edges", 0, ""},
		{"segment_edges", -5, "segment_edges = -5: it must be from 0 to 1099511627776"},
		{"round_pairs", 0, "round_pairs = 0: it must be from 1 to 1073741824"},
		{"wait_seconds", 0, "wait_seconds = 0: it must be from 1 to 1048576"},
		{"prelaunch", 0, ""},
		{"prelaunch", 2, "prelaunch = 2: it must be from 0 to 1"},
	} {
		p := Default()
		if err := p.Set(c.key, c.value); err != nil {
			t.Fatal(err)
		}
		err := p.Check()
		var out *RangeError
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &out) || err.Error() != c.want) {
			t.Errorf("%s = %d gives %v, want %q", c.key, c.value, err, c.want)
		}
	}
}
