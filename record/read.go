package record

import (
	"bytes"

	"g500/report"
)

// Read reads the run in a folder. If its record contradicts itself, the run's Contradiction says how and its status is
// Inconsistent; that is no error. The error is fs.ErrNotExist if the folder has no run.
func Read(dir string) (*report.Run, error) {
	text, err := report.Stored(dir)
	if err != nil {
		return nil, err
	}
	return Parse(text)
}

// Parse reads a run from the text of its record, as Read does from its folder.
func Parse(text []byte) (*report.Run, error) {
	run, err := report.ReadJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if err := Check(run); err != nil {
		contradict(run, err)
	} else if err := checkDerived(text); err != nil {
		contradict(run, err)
	}
	return run, nil
}

func contradict(run *report.Run, err error) {
	run.Contradiction = "run.json contradicts itself: " + err.Error()
	run.Settle()
}
