// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"g500/comm"
	"g500/internal/infile"
	"g500/record"
)

// inputPart is the part of an input file that a rank has read. Each rank reads its own edges and weights; rank 0 reads
// all other files.
type inputPart struct {
	Use, Path   string
	Fingerprint infile.Fingerprint
	Pipe        bool
}

// keepInputs joins the ranks' parts of all files read so far, and records the files in the run. It returns an error if
// a file has changed since the run to resume read it. It is collective.
func (b *benchmark) keepInputs() error {
	all, err := comm.Gathered(b.t, b.parts)
	if err != nil {
		return err
	}
	files := joined(all)
	if b.setup.Earlier != nil {
		err = b.sameAsEarlier(sameInputs(b.setup.Earlier.Inputs, files))
	}
	for _, earlier := range b.run.Inputs { // an earlier part of the run has read them, and this one not yet
		if !slices.ContainsFunc(files, func(f record.Input) bool { return f.Use == earlier.Use }) {
			files = append(files, earlier)
		}
	}
	if err == nil {
		b.run.Inputs = files
	}
	return comm.Agree(b.t, err)
}

// joined joins the parts of all ranks into files, in the order in which the files appear.
func joined(all [][]inputPart) (files []record.Input) {
	var whole []inputPart
	for _, part := range slices.Concat(all...) {
		i := slices.IndexFunc(whole, func(w inputPart) bool { return w.Use == part.Use })
		if i < 0 {
			whole = append(whole, part)
		} else {
			whole[i].Fingerprint = whole[i].Fingerprint.Then(part.Fingerprint)
		}
	}
	for _, w := range whole {
		files = append(files, record.Input{Use: w.Use, Path: w.Path, Bytes: w.Fingerprint.Bytes,
			CRC64: w.Fingerprint.Hex(), Pipe: w.Pipe})
	}
	return files
}

// sameInputs returns an error if a file that the run to resume read has changed.
func sameInputs(earlier, now []record.Input) error {
	for _, was := range earlier {
		for _, is := range now {
			if is.Use == was.Use && is.Content() != was.Content() {
				return fmt.Errorf("the file %s (%s) has changed since the run to resume read it: it had %s and has %s; "+
					"restore it, or start a new run", is.Path, is.Use, was.Content(), is.Content())
			}
		}
	}
	return nil
}

// unlikeEarlier returns the error in the content of an input file. The error of a run that is resumed does not show the
// content, because another user's configuration may name any file.
func (b *benchmark) unlikeEarlier(use, path string, err error) error {
	var unread *fs.PathError
	if err == nil || b.setup.Earlier == nil || errors.As(err, &unread) || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("the file %s (%s) cannot be read as the run to resume read it: restore it, or start a new run",
		path, use)
}
