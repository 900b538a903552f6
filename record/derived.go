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
	again, err := output.JSONLine(derivable.document())
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

func (e absentError) Error() string {
	return "run.json lacks " + string(e)
}

// checkMembers returns an error for the first member that derived has and stored lacks, and for a number below 0.
func checkMembers(path string, stored, derived any) error {
	switch was := stored.(type) {
	case object:
		is, _ := derived.(object)
		for _, name := range slices.Sorted(maps.Keys(is)) {
			member := strings.TrimPrefix(path+"."+name, ".")
			value, has := was[name]
			if !has {
				return absentError(member)
			}
			if err := checkMembers(member, value, is[name]); err != nil {
				return err
			}
		}
	case []any:
		is, _ := derived.([]any)
		for i := range min(len(was), len(is)) {
			if err := checkMembers(fmt.Sprintf("%s[%d]", path, i), was[i], is[i]); err != nil {
				return err
			}
		}
	case json.Number:
		if strings.HasPrefix(was.String(), "-") && !strings.Contains(path, "validate_seconds") {
			return fmt.Errorf("%s is %s, which is below 0", path, was)
		}
	}
	return nil
}

// decoded decodes a JSON object.
func decoded(text []byte) (object, error) {
	var d object
	err := infile.DecodeJSON(text, &d)
	return d, err
}

// compare returns an error for the first difference in the order of field names.
func compare(path string, stored, derived any) error {
	switch was := stored.(type) {
	case object:
		if is, alike := derived.(object); alike {
			for _, name := range slices.Sorted(maps.Keys(was)) {
				if err := compare(strings.TrimPrefix(path+"."+name, "."), was[name], is[name]); err != nil {
					return err
				}
			}
			return nil
		}
	case []any:
		if is, alike := derived.([]any); alike && len(was) == len(is) {
			for i := range was {
				if err := compare(fmt.Sprintf("%s[%d]", path, i), was[i], is[i]); err != nil {
					return err
				}
			}
			return nil
		}
	case json.Number:
		if is, alike := derived.(json.Number); alike && sameNumber(was, is) {
			return nil
		}
	default:
		if stored == derived {
			return nil
		}
	}
	return fmt.Errorf("%s is %s, and by scale, settings and searches must be %s", path, short(stored), short(derived))
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
