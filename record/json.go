package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"

	"g500/internal/output"
)

// formatVersion counts the changes of the JSON form that an older reader would misread.
const formatVersion = 2

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

// WriteJSON writes the whole run with its verdict and statistics, in base units: seconds, edges, TEPS. Runs of every
// status can be written; figures that only a valid run has are null.
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

// numberList is a list of numbers as the encoder indents it. No string matches: strings hold no line ends.
var numberList = regexp.MustCompile(`\[\n\s+[-+.0-9e]+(,\n\s+[-+.0-9e]+)*\n\s+\]`)

// onOneLine keeps the lists of a trace, with a number for each rank, from filling a line with each number.
func onOneLine(list []byte) []byte {
	numbers := bytes.Fields(list[1 : len(list)-1])
	return append(append([]byte("["), bytes.Join(numbers, []byte(" "))...), ']')
}

// ReadJSON reads a run that this program or an older one wrote. Statistics are not read: they follow from the searches.
func ReadJSON(in io.Reader) (*Run, error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	run, _, err := decode(text)
	return run, err
}

// decode returns the run in a text, and the text in the present format.
func decode(text []byte) (*Run, []byte, error) {
	damaged := func(err error) error {
		return fmt.Errorf("record: the JSON of a run is damaged or cut off: %w", err)
	}
	text = renameEngine(text)
	var head struct{ Format int }
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, nil, damaged(err)
	}
	switch head.Format {
	case 1:
		var err error
		if text, err = fromFormat1(text); err != nil {
			return nil, nil, damaged(err)
		}
	case formatVersion:
	default:
		return nil, nil, fmt.Errorf("record: the run has JSON format %d, this g500 reads formats 1 to %d", head.Format,
			formatVersion)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, nil, damaged(err)
	}
	for k := range slices.Values(d.Kernels) {
		d.Run.Kernels = append(d.Run.Kernels, k.KernelRun)
	}
	return &d.Run, text, nil
}
