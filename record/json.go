package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"

	"g500/internal/output"
)

// formatVersion counts the changes of the JSON form that an older reader would misread.
const formatVersion = 3

// document is a run as a JSON file: the run's own fields, and the figures derived from them.
type document struct {
	Format int `json:"format"`
	Run
	Kernels []kernelDocument `json:"kernels"` // in place of the run's
}

// kernelDocument is the part of a kernel in a document.
type kernelDocument struct {
	KernelRun
	Statistics Statistics `json:"statistics"`
}

// WriteJSON writes a run of any status with its verdict and statistics, in base units: seconds, edges, TEPS. Figures
// that only a valid run has are null.
func (r *Run) WriteJSON(w io.Writer) error {
	d := document{Format: formatVersion, Run: *r, Kernels: []kernelDocument{}}
	d.Settle()
	for _, k := range r.Kernels {
		if d.Status != Valid { // its searches do not count
			k.Power = nil
		}
		d.Kernels = append(d.Kernels, kernelDocument{k, r.Statistics(k)})
	}
	var text bytes.Buffer
	if err := output.JSON(&text, d); err != nil {
		return fmt.Errorf("record: writing the run as JSON: %w", err)
	}
	_, err := w.Write(numberList.ReplaceAllFunc(text.Bytes(), onOneLine))
	return err
}

// numberList matches a list of numbers as the encoder indents it. No string matches: strings hold no line ends.
var numberList = regexp.MustCompile(`\[\n\s+[-+.0-9e]+(,\n\s+[-+.0-9e]+)*\n\s+\]`)

// onOneLine writes a list, such as a trace's with one number per rank, on one line instead of one line per number.
func onOneLine(list []byte) []byte {
	numbers := bytes.Fields(list[1 : len(list)-1])
	return append(append([]byte("["), bytes.Join(numbers, []byte(" "))...), ']')
}

// decode returns the run in a text that this program or an older one wrote, and the text as an object in the present
// format.
func decode(text []byte) (*Run, object, error) {
	damaged := func(err error) error {
		return fmt.Errorf("record: the JSON of a run is damaged or cut off: %w", err)
	}
	stored, err := decoded(text)
	if err != nil {
		return nil, nil, damaged(err)
	}
	switch format := stored["format"]; format {
	case json.Number("1"), json.Number("2"):
		if format == json.Number("1") {
			err = fromFormat1(stored)
		}
		stored = rename("", "", stored).(object)
		stored["format"] = formatVersion
		if err == nil {
			text, err = json.Marshal(stored)
		}
		if err == nil {
			stored, err = decoded(text)
		}
		if err != nil {
			return nil, nil, damaged(err)
		}
	case json.Number(fmt.Sprint(formatVersion)):
	default:
		return nil, nil, fmt.Errorf("record: the run has JSON format %v, this g500 reads formats 1 to %d", format,
			formatVersion)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, nil, damaged(err)
	}
	for _, k := range d.Kernels {
		d.Run.Kernels = append(d.Run.Kernels, k.KernelRun)
	}
	return &d.Run, stored, nil
}
