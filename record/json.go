package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
)

// formatVersion counts the changes of the JSON form that an older reader would misread.
const formatVersion = 1

// document is a run as a JSON file: the run's own fields, and the figures derived from them.
type document struct {
	Format int `json:"format"`
	Run
	Statistics     Statistics  `json:"statistics"`
	PathStatistics *Statistics `json:"sssp_statistics,omitempty"`
}

// WriteJSON writes the whole run with its verdict and statistics, in base units: seconds, edges, TEPS. Every
// status can be written; what the run has no right to is null.
func (r *Run) WriteJSON(w io.Writer) error {
	d := document{Format: formatVersion, Run: *r, Statistics: r.Statistics()}
	if r.HasSSSP() {
		st := r.PathStatistics()
		d.PathStatistics = &st
	}
	d.Settle()
	if d.Status != Valid { // what was measured of searches that do not count
		d.Power = nil
		if d.Paths != nil {
			paths := *d.Paths
			paths.Power = nil
			d.Paths = &paths
		}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(d); err != nil {
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

// ReadJSON reads a run that WriteJSON wrote. Config comes back as a map whose numbers are json.Number, so that
// no seed loses digits. Statistics are not read: they follow from the searches.
func ReadJSON(in io.Reader) (*Run, error) {
	var d document
	dec := json.NewDecoder(in)
	dec.UseNumber()
	if err := dec.Decode(&d); err != nil {
		return nil, fmt.Errorf("record: the JSON of a run is damaged or cut off: %w", err)
	}
	if d.Format != formatVersion {
		return nil, fmt.Errorf("record: the run has JSON format %d, this g500 reads format %d", d.Format, formatVersion)
	}
	return &d.Run, nil
}
