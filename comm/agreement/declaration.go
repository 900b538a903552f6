// SPDX-License-Identifier: Apache-2.0

package agreement

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Declaration is everything that one rank declares. Settings and files are compared in the order of rank 0.
type Declaration struct {
	Node     string
	Settings []Setting
	Files    []File
}

// Setting is a named value that must be the same on all ranks.
type Setting struct {
	Name, Value string
	Optional    bool   // ranks without a value agree with every value
	Cure        string // of a difference; "" for the default
}

// format is the first line of every message. Programs with other messages have another format.
const format = "g500 ranks 1\n"

var errFormat = errors.New("the ranks run programs of different versions, which cannot compare their settings: " +
	"install the same program on all nodes")

// encode returns the message for a value.
func encode(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	return append([]byte(format), text...), err
}

// decode reads a message into a value. It returns errFormat if the message comes from a program with another format.
func decode(message []byte, value any) error {
	text, ok := strings.CutPrefix(string(message), format)
	if !ok || json.Unmarshal([]byte(text), value) != nil {
		return errFormat
	}
	return nil
}

// firstDifference describes the first setting or file in which a rank differs from rank 0; "" if all ranks are equal.
func firstDifference(all []Declaration) string {
	for i, s := range all[0].Settings {
		values := make([]string, len(all))
		for r, d := range all {
			values[r] = d.value(i, s)
		}
		if other, ranks := differing(values); ranks != nil {
			return sentence(all, s.Name, [2]string{values[0], other}, ranks) + ": " +
				cmp.Or(s.Cure, "start all ranks with the same flags and the same configuration")
		}
	}
	var longer []int // ranks with more settings than rank 0
	for r, d := range all {
		if len(d.Settings) > len(all[0].Settings) {
			longer = append(longer, r)
		}
	}
	if longer != nil {
		return sentence(all, all[longer[0]].Settings[len(all[0].Settings)].Name, [2]string{unknown, "set"}, longer) +
			": install the same program on all nodes"
	}
	return firstFileDifference(all)
}

// unknown is the value of a missing setting.
const unknown = "unknown"

// value returns the value of setting i, which is first on rank 0. An optional setting without a value has rank 0's
// value.
func (d Declaration) value(i int, first Setting) string {
	if i >= len(d.Settings) || d.Settings[i].Name != first.Name {
		return unknown
	}
	own := d.Settings[i].Value
	if first.Optional && own == "" {
		return first.Value
	}
	return own
}

// differing returns the first value that differs from rank 0's, and all ranks that have it; nil if there is none.
func differing(values []string) (other string, ranks []int) {
	for r, value := range values {
		if value != values[0] && (ranks == nil || value == other) {
			other = value
			ranks = append(ranks, r)
		}
	}
	return other, ranks
}

// sentence describes a difference by the two values and the ranks that have them.
func sentence(all []Declaration, name string, values [2]string, ranks []int) string {
	at := func(r int) string {
		if all[ranks[0]].Node == all[0].Node {
			return ""
		}
		return " (node " + all[r].Node + ")"
	}
	return fmt.Sprintf("the ranks differ: %s is %s on rank 0%s and %s on %s%s",
		name, shown(values[0]), at(0), shown(values[1]), Ranks(ranks), at(ranks[0]))
}

// shown formats a value for a sentence.
func shown(value string) string {
	const most = 200
	switch {
	case value == "":
		return "not set"
	case len(value) > most:
		return value[:most] + "..."
	}
	return value
}

// Ranks formats a sorted list of ranks: "rank 3", "ranks 1, 4-7".
func Ranks(ranks []int) string {
	var runs []string
	for i := 0; i < len(ranks); {
		last := i
		for last+1 < len(ranks) && ranks[last+1] == ranks[last]+1 {
			last++
		}
		run := fmt.Sprint(ranks[i])
		if last > i {
			run = fmt.Sprintf("%d-%d", ranks[i], ranks[last])
		}
		runs = append(runs, run)
		i = last + 1
	}
	if len(ranks) == 1 {
		return "rank " + runs[0]
	}
	return "ranks " + strings.Join(runs, ", ")
}
