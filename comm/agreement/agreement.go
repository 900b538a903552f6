// SPDX-License-Identifier: Apache-2.0

// Package agreement compares the settings, programs and input files of all ranks before a job starts. Ranks that differ
// would wait for each other for ever, or compute one result from two graphs.
package agreement

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"g500/comm"
	"g500/internal/infile"
	"g500/internal/lists"
)

// verdict is rank 0's message to all ranks.
type verdict struct {
	Difference string // "" if none was found
	Sample     []int  // numbers of the files whose contents must be compared
}

// Check compares the declarations of all ranks. It returns the same error on every rank, which names the first
// difference, or nil; only errors of the transport may be on one rank. The messages depend only on the verdict of rank
// 0, which compares. It is collective, and the first collective of every job.
func Check(t comm.Transport, own Declaration) error {
	v, err := settle(t, own, func(all []Declaration) verdict {
		if difference := firstDifference(all); difference != "" {
			return verdict{Difference: difference}
		}
		return verdict{Sample: copies(all)}
	})
	if err != nil || len(v.Sample) == 0 {
		return err
	}
	// Files of equal sizes and different times may be copies, or other files: compare their contents.
	sampled := Declaration{Node: own.Node}
	for _, i := range v.Sample {
		f := own.Files[i]
		sampled.Settings = append(sampled.Settings,
			Setting{Name: "the digest of " + f.Name, Value: f.sample(), Cure: sameFile})
	}
	_, err = settle(t, sampled, func(all []Declaration) verdict { return verdict{Difference: firstDifference(all)} })
	return err
}

// settle gathers declarations on rank 0, and sends its verdict on them to all ranks. A verdict with a difference is an
// error.
func settle(t comm.Transport, own Declaration, compare func([]Declaration) verdict) (v verdict, err error) {
	message, err := encode(own)
	if err != nil {
		return v, err
	}
	send := make([][]byte, t.Size())
	send[0] = message
	got, err := t.AllToAll(send)
	if err != nil {
		return v, err
	}
	message = nil
	if t.Rank() == 0 {
		if message, err = encode(verdictOn(got, compare)); err != nil {
			return v, err
		}
	}
	if got, err = comm.AllGatherBytes(t, message); err != nil {
		return v, err
	}
	if err := decode(got[0], &v); err != nil {
		return v, err
	}
	if v.Difference != "" {
		return v, errors.New(v.Difference)
	}
	return v, nil
}

// verdictOn compares the declarations in messages from all ranks.
func verdictOn(messages [][]byte, compare func([]Declaration) verdict) verdict {
	all := make([]Declaration, len(messages))
	for r, message := range messages {
		if err := decode(message, &all[r]); err != nil {
			return verdict{Difference: err.Error()}
		}
	}
	return compare(all)
}

// Declaration is everything that one rank declares. Settings and files are compared in the order of rank 0.
type Declaration struct {
	Node     string
	Settings []Setting
	Files    []File
}

// Setting is a named value that must be the same on all ranks.
type Setting struct {
	Name, Value string
	Optional    bool   // ranks without a value agree with every value
	Cure        string // of a difference; "" for the default
}

// format is the first line of every message. Programs with other messages have another format.
const format = "g500 ranks 1\n"

var errFormat = errors.New("the ranks run programs of different versions, which cannot compare their settings: " +
	"install the same program on all nodes")

// encode returns the message for a value.
func encode(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	return append([]byte(format), text...), err
}

// decode reads a message into a value. It returns errFormat if the message comes from a program with another format.
func decode(message []byte, value any) error {
	text, ok := strings.CutPrefix(string(message), format)
	if !ok || json.Unmarshal([]byte(text), value) != nil {
		return errFormat
	}
	return nil
}

// firstDifference describes the first setting or file in which a rank differs from rank 0; "" if all ranks are equal.
func firstDifference(all []Declaration) string {
	for i, s := range all[0].Settings {
		values := lists.Of(all, func(d Declaration) string { return d.value(i, s) })
		if other, ranks := differing(values); ranks != nil {
			return sentence(all, s.Name, [2]string{values[0], other}, ranks) + ": " +
				cmp.Or(s.Cure, "start all ranks with the same flags and the same configuration")
		}
	}
	longer := lists.Indices(all, func(d Declaration) bool { return len(d.Settings) > len(all[0].Settings) })
	if longer != nil {
		return sentence(all, all[longer[0]].Settings[len(all[0].Settings)].Name, [2]string{unknown, "set"}, longer) +
			": install the same program on all nodes"
	}
	return firstFileDifference(all)
}

// unknown is the value of a missing setting.
const unknown = "unknown"

// value returns the value of setting i, which is first on rank 0. An optional setting without a value has rank 0's
// value.
func (d Declaration) value(i int, first Setting) string {
	if i >= len(d.Settings) || d.Settings[i].Name != first.Name {
		return unknown
	}
	own := d.Settings[i].Value
	if first.Optional && own == "" {
		return first.Value
	}
	return own
}

// differing returns the first value that differs from rank 0's, and all ranks that have it; nil if there is none.
func differing(values []string) (other string, ranks []int) {
	for r, value := range values {
		if value != values[0] && (ranks == nil || value == other) {
			other = value
			ranks = append(ranks, r)
		}
	}
	return other, ranks
}

// sentence describes a difference by the two values and the ranks that have them.
func sentence(all []Declaration, name string, values [2]string, ranks []int) string {
	at := func(r int) string {
		if all[ranks[0]].Node == all[0].Node {
			return ""
		}
		return " (node " + all[r].Node + ")"
	}
	return fmt.Sprintf("the ranks differ: %s is %s on rank 0%s and %s on %s%s",
		name, shown(values[0]), at(0), shown(values[1]), Ranks(ranks), at(ranks[0]))
}

// shown formats a value for a sentence.
func shown(value string) string {
	const most = 200
	switch {
	case value == "":
		return "not set"
	case len(value) > most:
		return value[:most] + "..."
	}
	return value
}

// Ranks formats a sorted list of ranks: "rank 3", "ranks 1, 4-7".
func Ranks(ranks []int) string {
	var runs []string
	for i := 0; i < len(ranks); {
		last := i
		for last+1 < len(ranks) && ranks[last+1] == ranks[last]+1 {
			last++
		}
		run := fmt.Sprint(ranks[i])
		if last > i {
			run = fmt.Sprintf("%d-%d", ranks[i], ranks[last])
		}
		runs = append(runs, run)
		i = last + 1
	}
	if len(ranks) == 1 {
		return "rank " + runs[0]
	}
	return "ranks " + strings.Join(runs, ", ")
}

// File is the state of an input file on one rank. Files that are not regular, such as pipes, are not compared.
type File struct {
	Name     string // its role, such as "the edge file"
	Path     string
	Regular  bool
	Fault    string // why the file cannot be read; "" if it can
	Bytes    int64
	Modified time.Time
}

// Look returns the state of a file on this rank. An unreadable file is not an error: all ranks may have it.
func Look(name, path string) File {
	info, err := os.Stat(path)
	if err != nil {
		return File{Name: name, Path: path, Fault: errors.Unwrap(err).Error()} // which is without the path
	}
	return File{Name: name, Path: path, Regular: info.Mode().IsRegular(), Bytes: info.Size(), Modified: info.ModTime()}
}

// size describes the state of the file without its time.
func (f File) size() string {
	switch {
	case f.Fault != "":
		return "unreadable (" + f.Fault + ")"
	case !f.Regular:
		return "not a regular file"
	}
	return fmt.Sprintf("%d bytes long", f.Bytes)
}

// sameFile is the cure of different files.
const sameFile = "all ranks must read the same file, or equal copies of it"

// firstFileDifference describes the first file whose size differs between a rank and rank 0; "" if there is none.
func firstFileDifference(all []Declaration) string {
	for i, f := range all[0].Files {
		if f.Fault == "" && !f.Regular {
			continue // rank 0 reads the pipe and sends its content to the others
		}
		sizes := lists.Of(all, func(d Declaration) string {
			if i < len(d.Files) {
				return d.Files[i].size()
			}
			return unknown
		})
		if other, ranks := differing(sizes); ranks != nil {
			return sentence(all, f.Name+" "+f.Path, [2]string{sizes[0], other}, ranks) + ": " + sameFile
		}
	}
	return ""
}

// copies returns the numbers of the files with equal sizes and different times: they may be copies, or other files.
func copies(all []Declaration) (files []int) {
	for i, f := range all[0].Files {
		differs := func(d Declaration) bool { return !d.Files[i].Modified.Equal(f.Modified) }
		if f.Regular && slices.ContainsFunc(all, differs) {
			files = append(files, i)
		}
	}
	return files
}

// Samples of a file: the whole file up to sampledBytes, otherwise sampleBlocks blocks at equal distances.
const (
	sampledBytes = 16 << 20
	sampleBlocks = 1 << 10
)

// sample returns a digest of the samples of a file, or the reason for which it cannot be read.
func (f File) sample() string {
	file, err := infile.OpenRegular(f.Path, f.Name)
	if err != nil {
		return "unreadable (" + err.Error() + ")"
	}
	defer file.Close()
	const block = sampledBytes / sampleBlocks
	blocks := min((f.Bytes+block-1)/block, sampleBlocks)
	sum := sha256.New()
	for i := range blocks {
		at := i * block
		if f.Bytes > sampledBytes {
			at = int64(float64(f.Bytes-block) * float64(i) / float64(blocks-1))
		}
		if _, err := io.Copy(sum, io.NewSectionReader(file, at, block)); err != nil {
			return "unreadable (" + err.Error() + ")"
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}
