package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"

	"g500/internal/output"
)

// Format counts the changes of the JSON form that an older reader would misread.
const Format = 3

// Document is a run as a JSON file: the run's own fields, and the figures derived from them.
type Document struct {
	Run
	Kernels []KernelDocument `json:"kernels"` // in the order in which they ran
}

// KernelDocument is the part of a kernel in a Document.
type KernelDocument struct {
	KernelRun
	Statistics Statistics `json:"statistics"`
}

// WriteJSON writes a run of any status with its verdict and statistics, in base units: seconds, edges, TEPS. Figures
// that only a valid run has are null.
func (r *Run) WriteJSON(w io.Writer) error {
	var text bytes.Buffer
	if err := output.Document(&text, Format, r.document()); err != nil {
		return fmt.Errorf("record: writing the run as JSON: %w", err)
	}
	_, err := w.Write(numberList.ReplaceAllFunc(text.Bytes(), onOneLine))
	return err
}

func (r *Run) document() Document {
	d := Document{Run: *r, Kernels: []KernelDocument{}}
	d.Settle()
	for _, k := range r.Kernels {
		if d.Status != Valid { // its searches do not count
			k.Power = nil
		}
		d.Kernels = append(d.Kernels, KernelDocument{k, r.Statistics(k)})
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
		stored["format"] = Format
		if err == nil {
			text, err = json.Marshal(stored)
		}
		if err == nil {
			stored, err = decoded(text)
		}
		if err != nil {
			return nil, nil, damaged(err)
		}
	case json.Number(fmt.Sprint(Format)):
	default:
		return nil, nil, fmt.Errorf("record: the run has JSON format %v, this g500 reads formats 1 to %d", format,
			Format)
	}
	var d Document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, nil, damaged(err)
	}
	for _, k := range d.Kernels {
		d.Run.Kernels = append(d.Run.Kernels, k.KernelRun)
	}
	return &d.Run, stored, nil
}
