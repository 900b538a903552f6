package lab

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The keys, their values and their limits are equal to cuda/lab/strategy.cu.
func TestKeysOfKernels(t *testing.T) {
	source, err := os.ReadFile("../cuda/lab/strategy.cu")
	if err != nil {
		t.Fatal(err)
	}
	header, err := os.ReadFile("../cuda/lab/lab.h")
	if err != nil {
		t.Fatal(err)
	}
	shares := regexp.MustCompile(`G500_LAB_MOST_SHARES = (\d+)`).FindStringSubmatch(string(header))[1]
	text := strings.NewReplacer("kMost / 4", strconv.Itoa(mostNumber/4), "kMost", strconv.Itoa(mostNumber),
		"G500_LAB_MOST_SHARES", shares).Replace(string(source))
	var want, got []string
	for _, k := range regexp.MustCompile(`\{"(\w+)", &[\w:]+,\s*\{([^}]*)\}`).FindAllStringSubmatch(text, -1) {
		values := strings.Fields(strings.NewReplacer(`"`, "", ",", " ").Replace(k[2]))
		want = append(want, fmt.Sprintln(k[1], values))
	}
	number := regexp.MustCompile(`\{"(\w+)", &[\w:]+, (\d+), (\d+), \d+, (\w+)\}`)
	for _, k := range number.FindAllStringSubmatch(text, -1) {
		want = append(want, fmt.Sprintln(k[1], k[2], k[3], k[4]))
	}
	for _, k := range keys {
		if k.words != nil {
			got = append(got, fmt.Sprintln(k.name, k.words))
		} else {
			got = append(got, fmt.Sprintln(k.name, k.least, k.most, k.power))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if len(want) < 20 || !slices.Equal(got, want) {
		t.Errorf("keys in lab/keys.go:\n%sin cuda/lab/strategy.cu:\n%s", strings.Join(got, ""), strings.Join(want, ""))
	}
}

// All settings of the table are possible, and errors name the possible values.
func TestKeysAreChecked(t *testing.T) {
	for _, s := range Table() {
		for _, setting := range s.Settings {
			if err := s.check(setting.Key, setting.Value); err != nil {
				t.Error(err)
			}
		}
	}
	for list, want := range map[string]string{
		"merrill-hybrid:cul=none":      `no key "cul": choose one of shape, gather`,
		"merrill-hybrid:cull=all":      "choose none, warp, history, both",
		"merrill-hybrid:cull=":         "choose none",
		"merrill-hybrid:drop_degree=2": "choose a number from 0 to 1",
		"merrill-hybrid:tiles=-1":      "choose a number from 1",
		"merrill-hybrid:history=100":   "choose a power of two from 32 to 4096",
		"cpu:cull=none":                `no key "cull": choose one of engine, output, count`,
		"merrill-hybrid:count=kept":    `no key "count"`,
	} {
		if _, err := Choose(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", list, err, want)
		}
	}
	if kept, err := Choose("cpu:count=kept"); err != nil || kept[0].BeforeClock() == "" {
		t.Errorf("%+v, %v", kept, err)
	}
}
