package bench

import (
	"encoding/json"
	"fmt"
	"slices"

	"g500/comm"
	"g500/internal/infile"
	"g500/record"
)

// The uses of input files, as run.json has them.
const (
	graphUse   = "graph"
	edgesUse   = "edges"
	weightsUse = "weights"
	rootsUse   = "roots"
)

// inputPart is the part of an input file that a rank has read: of edges and weights each rank reads its own, and rank 0
// reads all other files.
type inputPart struct {
	Use, Path   string
	Fingerprint infile.Fingerprint
	Pipe        bool
}

// keepInputs combines the ranks' parts of all files read so far and records the files in the run. An error says that a
// file has changed since the run to resume read it. keepInputs is collective.
func (b *benchmark) keepInputs() error {
	text, err := json.Marshal(b.parts)
	if err != nil {
		return err
	}
	all, err := comm.AllGatherTexts(b.t, string(text))
	if err != nil {
		return err
	}
	files, err := combined(all)
	if err == nil && b.setup.Earlier != nil {
		err = b.sameAsEarlier(sameInputs(b.setup.Earlier.Inputs, files))
	}
	if err == nil {
		b.run.Inputs = withEarlier(files, b.run.Inputs)
	}
	return comm.Agree(b.t, err)
}

// withEarlier adds the files that an earlier part of the run has read and this one has not read yet.
func withEarlier(files, earlier []record.Input) []record.Input {
	for _, was := range earlier {
		if !slices.ContainsFunc(files, func(f record.Input) bool { return f.Use == was.Use }) {
			files = append(files, was)
		}
	}
	return files
}

// combined joins the parts in the texts, one text from each rank, into files.
func combined(texts []string) ([]record.Input, error) {
	var whole []inputPart
	for _, text := range texts {
		var parts []inputPart
		if err := json.Unmarshal([]byte(text), &parts); err != nil {
			return nil, err
		}
		for _, part := range parts {
			whole = appended(whole, part)
		}
	}
	var files []record.Input
	for _, w := range whole {
		files = append(files, record.Input{Use: w.Use, Path: w.Path, Bytes: w.Fingerprint.Bytes,
			CRC64: w.Fingerprint.Hex(), Pipe: w.Pipe})
	}
	return files, nil
}

// appended adds a part to the end of its file, the first part of a file to the end of the list.
func appended(whole []inputPart, part inputPart) []inputPart {
	for i := range whole {
		if w := &whole[i]; w.Use == part.Use {
			w.Fingerprint = w.Fingerprint.Then(part.Fingerprint)
			return whole
		}
	}
	return append(whole, part)
}

// sameInputs refuses to resume a run if a file that it read has changed.
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

// origin returns how a resumed run gets its graph again, as the end of a sentence.
func (s Setup) origin() string {
	if s.Config.Graph.Edges != "" || s.Input != nil && s.Input.spec.IsFile() {
		return "was read again"
	}
	return "was generated again"
}
