// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"g500/internal/infile"
	"g500/internal/lists"
	"g500/internal/output"
)

// checkStored returns an error for the first member that the JSON of a run, in the present format, lacks; for the first
// statement that another one contradicts; or for the first member that differs from the statistics, the verdict and the
// power as they are derived again, or that no run has.
func checkStored(run *Run, stored object) error {
	derivable := *run
	derivable.Kernels = slices.Clone(run.Kernels)
	for i, k := range run.Kernels {
		if k.Power != nil {
			power := *k.Power
			power.Derive(k.Searches)
			derivable.Kernels[i].Power = &power
		}
	}
	again, err := output.JSONLine(derivable.settled())
	if err != nil {
		return err
	}
	derived, err := decoded(again)
	if err != nil {
		return err
	}
	delete(stored, "format")
	if config, _ := stored["config"].(object); config["policy"] != nil { // its keys come and go in one format
		config["policy"] = derived["config"].(object)["policy"]
	}
	if err = checkMembers("", stored, derived); err == nil {
		err = Check(run)
	}
	if err == nil {
		err = compare("", stored, derived)
	}
	return err
}

// absentError names a member that a record must have.
type absentError string

func (e absentError) Error() string { return "run.json lacks " + string(e) }

// eachMember calls check with each member of an object in the order of names, or each element of a list, until check
// returns an error. It returns an error for the first member that derived has and stored lacks.
func eachMember(path string, stored, derived any, check func(path string, stored, derived any) error) error {
	switch was := stored.(type) {
	case object:
		is, _ := derived.(object)
		for _, name := range lists.Distinct(slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(is))) {
			member := strings.TrimPrefix(path+"."+name, ".")
			value, has := was[name]
			if !has {
				return absentError(member)
			}
			if err := check(member, value, is[name]); err != nil {
				return err
			}
		}
	case []any:
		is, _ := derived.([]any)
		for i := range min(len(was), len(is)) {
			if err := check(fmt.Sprintf("%s[%d]", path, i), was[i], is[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkMembers returns an error for the first member that derived has and stored lacks, and for a number below 0.
func checkMembers(path string, stored, derived any) error {
	if n, is := stored.(json.Number); is && n[0] == '-' && !strings.Contains(path, "validate_seconds") {
		return fmt.Errorf("%s is %s, which is below 0", path, n)
	}
	return eachMember(path, stored, derived, checkMembers)
}

// decoded decodes a JSON object.
func decoded(text []byte) (object, error) {
	var d object
	err := infile.DecodeJSON(text, &d)
	return d, err
}

// compare returns an error for the first difference in the order of names.
func compare(path string, stored, derived any) error {
	alike := false
	switch was := stored.(type) {
	case object:
		_, alike = derived.(object)
	case []any:
		is, list := derived.([]any)
		alike = list && len(was) == len(is)
	case json.Number:
		is, number := derived.(json.Number)
		alike = number && sameNumber(was, is)
	default:
		alike = stored == derived
	}
	if !alike {
		return fmt.Errorf("%s is %s, and by scale, settings and searches must be %s", path, short(stored), short(derived))
	}
	return eachMember(path, stored, derived, compare)
}

// sameNumber tolerates different rounding of sums, such as on processors that multiply and add in one step.
func sameNumber(a, b json.Number) bool {
	if a == b {
		return true
	}
	x, errX := a.Float64()
	y, errY := b.Float64()
	return errX == nil && errY == nil && math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))
}

// short returns a value for a sentence.
func short(value any) string {
	const most = 80
	if _, is := value.(object); is {
		return "present"
	} else if value == nil {
		return "absent"
	}
	text, _ := json.Marshal(value) // it was decoded from JSON
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}
