//go:build results

package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"testing"

	"g500/docs/schema"
	"g500/internal/schematest"
	"g500/record"
)

// Every kept run of the present format follows its schema as it is stored. Runs of older formats follow it after they
// are read and written again.
func TestKeptRunsFollowTheSchema(t *testing.T) {
	text, err := schema.Of(fmt.Sprintf("run-%d", record.Format))
	if err != nil {
		t.Fatal(err)
	}
	validator, err := schematest.NewValidator(text)
	if err != nil {
		t.Fatal(err)
	}
	converted, unchanged := 0, 0
	for name, text := range keptRuns(t) {
		var stored struct{ Format int }
		if err := json.Unmarshal(text, &stored); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if unchanged++; stored.Format != record.Format {
			unchanged, converted = unchanged-1, converted+1
			if text, err = rewritten(text); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
		}
		if err := validator.Check(text); err != nil {
			t.Errorf("%s of format %d: %v", name, stored.Format, err)
		}
	}
	if unchanged == 0 || converted == 0 {
		t.Errorf("%d runs of the present format, %d of older ones", unchanged, converted)
	}
}

// keptRuns returns the JSON of all runs, by path. The archives have none.
func keptRuns(t *testing.T) map[string][]byte {
	t.Helper()
	runs := map[string][]byte{}
	err := filepath.WalkDir(".", func(file string, _ os.DirEntry, err error) error {
		switch {
		case err != nil:
		case path.Base(file) == record.File, path.Base(file) == record.PackedFile:
			runs[file], err = record.Stored(filepath.Dir(file))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// rewritten returns a stored run as this program writes it.
func rewritten(text []byte) ([]byte, error) {
	run, err := record.Parse(text)
	if err != nil {
		return nil, err
	}
	var again bytes.Buffer
	err = run.WriteJSON(&again)
	return again.Bytes(), err
}
