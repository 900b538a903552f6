// SPDX-License-Identifier: Apache-2.0

//go:build results

package results

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"g500/docs/schema"
	"g500/internal/schematest"
	"g500/record"
)

// Every stored run follows the schema of the present format.
func TestKeptRunsFollowTheSchema(t *testing.T) {
	text, err := schema.Of(fmt.Sprintf("run-%d", record.Format))
	if err != nil {
		t.Fatal(err)
	}
	validator, err := schematest.NewValidator(text)
	if err != nil {
		t.Fatal(err)
	}
	runs := 0
	err = filepath.WalkDir(all(t), func(name string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Base(name) != record.File {
			return err
		}
		runs++
		text, err := os.ReadFile(name)
		if err == nil {
			err = validator.Check(text)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return nil
	})
	if err != nil || runs == 0 {
		t.Errorf("%d runs, %v", runs, err)
	}
}
