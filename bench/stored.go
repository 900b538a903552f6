package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"g500/record"
)

// ReadStored reads the run in an output folder, in whatever state it is, with its configuration. Settings that the file
// lacks are zero, and not the defaults. If the record contradicts itself, the run's Contradiction describes the
// contradiction.
func ReadStored(dir string) (*record.Run, Config, error) {
	var c Config
	text, err := record.Stored(dir)
	if err != nil {
		return nil, c, fmt.Errorf("there is no run in %s; g500 run --output %s makes one: %w", dir, dir, err)
	}
	run, err := record.Parse(text)
	if err != nil {
		return nil, c, fmt.Errorf("%s: %w", filepath.Join(dir, runFile), err)
	}
	if err := decodeConfig(run.Config, &c); err != nil {
		return nil, c, fmt.Errorf("the configuration in %s cannot be read: %w", filepath.Join(dir, runFile), err)
	}
	return run, c, nil
}

// CompareStored says which file of an output folder tells something else than the run that was read from it, or is
// missing; nil where all agree. The list of searches is not kept by everybody, and is compared where it is there.
func CompareStored(dir string, run *record.Run) error {
	for _, file := range []struct {
		name  string
		there bool
		write func(*record.Run, io.Writer) error
	}{
		{officialFile, true, writeOfficial},
		{tableFile, run.HasBFS(), (*record.Run).WriteCSV},
		{pathsFile, run.HasSSSP(), (*record.Run).WritePathsCSV},
	} {
		if !file.there {
			continue
		}
		got, err := os.ReadFile(filepath.Join(dir, file.name))
		if err != nil {
			return fmt.Errorf("%s cannot be read: %w", file.name, err)
		}
		var want bytes.Buffer
		if err := file.write(run, &want); err != nil {
			return err
		}
		if !bytes.Equal(got, want.Bytes()) {
			return fmt.Errorf("%s is not what %s gives", file.name, runFile)
		}
	}
	searches, err := readSearches(filepath.Join(dir, searchesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !sameSearches(searches, run) {
		err = fmt.Errorf("%s holds other searches than %s", searchesFile, runFile)
	}
	return err
}

// sameSearches reports whether a list has the searches of all kernels of a run.
func sameSearches(list []record.Search, run *record.Run) bool {
	of := *run
	takeSearches(&of, list)
	same := slices.EqualFunc(of.Searches, run.Searches, func(a, b record.Search) bool { return reflect.DeepEqual(a, b) })
	return same && reflect.DeepEqual(of.Paths, run.Paths)
}
