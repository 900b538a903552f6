package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
)

// checkDerived derives the statistics, the verdict and the power of a run again. It returns an error for the first
// field of the run's JSON, in the present format, that differs or that no run has. A field that the JSON lacks is no
// difference. It skips the configuration and traces: nothing is derived from them, and older programs wrote other
// traces.
func checkDerived(run *Run, stored object) error {
	derivable := *run
	derivable.Kernels = slices.Clone(run.Kernels)
	for i, k := range run.Kernels {
		if k.Power != nil {
			power := *k.Power
			power.Derive(k.Searches)
			derivable.Kernels[i].Power = &power
		}
		searches := slices.Clone(k.Searches)
		for j := range searches {
			searches[j].Trace = nil
		}
		derivable.Kernels[i].Searches = searches
	}
	again, err := json.Marshal(derivable.document())
	if err != nil {
		return err
	}
	derived, err := decoded(again)
	if err != nil {
		return err
	}
	for _, name := range []string{"config", "format"} {
		delete(stored, name)
		delete(derived, name)
	}
	return compare("", stored, derived)
}

// decoded decodes a JSON object.
func decoded(text []byte) (object, error) {
	var d object
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return d, dec.Decode(&d)
}

// compare returns an error for the first difference in the order of field names.
func compare(path string, stored, derived any) error {
	switch was := stored.(type) {
	case object:
		if is, alike := derived.(object); alike {
			return compareFields(path, was, is)
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
	return fmt.Errorf("%s is %s, and by the rest of the record it is %s", path, short(stored), short(derived))
}

func compareFields(path string, stored, derived object) error {
	for _, name := range slices.Sorted(maps.Keys(stored)) {
		if name == "trace" {
			continue
		}
		field := name
		if path != "" {
			field = path + "." + name
		}
		if err := compare(field, stored[name], derived[name]); err != nil {
			return err
		}
	}
	return nil
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
	if value == nil {
		return "absent"
	}
	text, _ := json.Marshal(value) // it was decoded from JSON
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}
