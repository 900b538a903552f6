// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"strings"

	"g500/internal/infile"
	"g500/internal/output"
	"g500/policy"
)

// Format counts the changes of the JSON form that an older reader would misread.
const Format = 3

// WriteJSON writes a run of any status with its verdict and statistics, in base units: seconds, edges, TEPS. Figures
// that the run does not have are null: rates of a run that is not valid, refused power, numbers that are not finite.
func (r *Run) WriteJSON(w io.Writer) error {
	var text bytes.Buffer
	if err := output.Document(&text, Format, r.settled()); err != nil {
		return fmt.Errorf("record: writing the run as JSON: %w", err)
	}
	_, err := w.Write(numberList.ReplaceAllFunc(text.Bytes(), onOneLine))
	return err
}

// settled returns the run as it is stored: settled, and without figures of power that do not count.
func (r *Run) settled() Run {
	d := *r
	d.Kernels = append([]KernelRun{}, r.Kernels...)
	d.Settle()
	for i := range d.Kernels {
		k := &d.Kernels[i]
		if d.Status != Valid { // its searches do not count
			k.Power = nil
		}
		if k.Power != nil && k.Power.Refused != "" {
			power := *k.Power
			power.Watts, power.JoulesPerSearch, power.TEPSPerWatt = math.NaN(), math.NaN(), math.NaN()
			k.Power = &power
		}
	}
	return d
}

// numberList matches a list of numbers as the encoder indents it. No string matches: strings hold no line ends.
var numberList = regexp.MustCompile(`\[\n\s+[-+.0-9e]+(,\n\s+[-+.0-9e]+)*\n\s+\]`)

// onOneLine writes a list, such as a trace's with one number per rank, on one line instead of one line per number.
func onOneLine(list []byte) []byte {
	numbers := bytes.Fields(list[1 : len(list)-1])
	return append(append([]byte("["), bytes.Join(numbers, []byte(" "))...), ']')
}

// otherFile ends errors of files in the folder of a run.
const otherFile = "use the original file, or leave this folder out"

// restore ends errors of files that contradict themselves or others.
const restore = ": restore the file that the run wrote"

// object is a decoded JSON object. Its numbers are json.Number.
type object = map[string]any

// decode returns the run in a text of the present format, and the text as an object.
func decode(text []byte) (*Run, object, error) {
	text = infile.CleanJSON(text)
	stored, err := decoded(text)
	if err != nil {
		return nil, nil, damaged(err)
	}
	if err := checkFormat(stored["format"]); err != nil {
		return nil, nil, err
	}
	var d Run
	if _, has := stored["config"].(object); has {
		d.Config = &Config{Policy: policy.Default()} // for keys of the policy that the run lacks
	}
	if err := infile.DecodeJSON(text, &d); err != nil {
		return nil, nil, damaged(err)
	}
	setNulls(reflect.ValueOf(&d), stored)
	return &d, stored, nil
}

// checkFormat returns an error unless a run's member format is the present one.
func checkFormat(stored any) error {
	switch format, _ := stored.(json.Number); format {
	case json.Number(fmt.Sprint(Format)):
		return nil
	case "":
		return fmt.Errorf("record: the file is no run of g500: a run has a member format, which is %d", Format)
	default:
		return fmt.Errorf("record: the run has JSON format %s, this g500 reads format %d: read it with the g500 that wrote "+
			"it", format, Format)
	}
}

func damaged(err error) error { return fmt.Errorf("record: %s: %w: %s", File, err, otherFile) }

// setNulls sets the figures below v to NaN that are null in its JSON.
func setNulls(v reflect.Value, stored any) {
	switch v.Kind() {
	case reflect.Float64:
		if stored == nil {
			v.SetFloat(math.NaN())
		}
	case reflect.Pointer:
		if !v.IsNil() {
			setNulls(v.Elem(), stored)
		}
	case reflect.Slice:
		list, _ := stored.([]any)
		for i := range min(len(list), v.Len()) {
			setNulls(v.Index(i), list[i])
		}
	case reflect.Struct:
		members, _ := stored.(object)
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if value, has := members[name]; has {
				setNulls(v.Field(i), value)
			} else if v.Type().Field(i).Anonymous {
				setNulls(v.Field(i), stored)
			}
		}
	}
}

// Members returns the members of a run's JSON, without searches and other kernels, by their path, such as
// config.search.engine or kernel.statistics.teps.median. A list is JSON. Members that are null are left out.
func (r *Run) Members(k Kernel) (map[string]string, error) {
	var text bytes.Buffer
	if err := r.WriteJSON(&text); err != nil {
		return nil, err
	}
	run, err := decoded(text.Bytes())
	if err != nil {
		return nil, err
	}
	kernels, _ := run["kernels"].([]any)
	delete(run, "kernels")
	for _, of := range kernels {
		if of, is := of.(object); is && of["kernel"] == string(k) {
			delete(of, "searches")
			run["kernel"] = of
		}
	}
	members := map[string]string{}
	flatten("", run, members)
	return members, nil
}

// flatten adds a value to members under its path.
func flatten(path string, value any, members map[string]string) {
	switch value := value.(type) {
	case nil:
	case object:
		for name, member := range value {
			if path != "" {
				name = path + "." + name
			}
			flatten(name, member, members)
		}
	case []any:
		list, _ := json.Marshal(value) // it was decoded from JSON
		members[path] = string(list)
	default:
		members[path] = fmt.Sprint(value)
	}
}
