package bench

import (
	"g500/record"
)

// WriteLastFiles writes the files of a run of which record.Run.AllSearched is true, and which has its verdict. The run
// stays as it was made: nothing is generated, built or searched again.
func WriteLastFiles(dir string, run *record.Run) error {
	s, err := takeFolder(dir)
	if err != nil {
		return err
	}
	if err = asExpected(dir, run); err == nil {
		err = s.writeFiles(run)
	}
	if failed := s.lock.Release(); err == nil {
		err = failed
	}
	return err
}
