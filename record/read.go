package record

import (
	"bytes"
)

// Read reads the run in a folder. If its record contradicts itself, the run's Contradiction says how and its status is
// Inconsistent; that is no error. The error is fs.ErrNotExist if the folder has no run.
func Read(dir string) (*Run, error) {
	text, err := Stored(dir)
	if err != nil {
		return nil, err
	}
	return Parse(text)
}

// Parse reads a run from the text of its record, as Read does from its folder.
func Parse(text []byte) (*Run, error) {
	run, err := ReadJSON(bytes.NewReader(text))
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

func contradict(run *Run, err error) {
	run.Contradiction = "run.json contradicts itself: " + err.Error()
	run.Settle()
}
