// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

// isHidden reports whether a member is hidden, as the ._NAME files of macOS.
func isHidden(name string) bool { return strings.HasPrefix(path.Base(name), ".") }

// companions are names of files that archives have in addition to a graph: texts about it, properties of its vertices,
// and the folders with splits and maps in archives of the Open Graph Benchmark.
var companions = regexp.MustCompile(`(?i)\.md$|(^|/)(split|mapping)/` +
	`|(^|/)(readme|licen[cs]e|copying|release|changelog|citation|num-|node[s_-])[^/]*$` +
	`|(^|[^a-z])(labels?|labelidx|feat|features?|attr|attributes?|indicators?|cmty)([^a-z][^/]*)?$`)

// isCompanion reports whether a member is a companion of a graph, by its name.
func isCompanion(name string) bool { return companions.MatchString(unpackedName(name)) }

// isNamedGraph reports whether a member is a graph by its name.
func isNamedGraph(name string) bool {
	_, known := named(name, auto)
	return known && !isCompanion(name)
}

// isAuxiliary reports whether a member is named FOLDER/FOLDER_NAME.mtx: the SuiteSparse collection has such files, as
// right-hand sides, next to the graph FOLDER/FOLDER.mtx.
func isAuxiliary(name string) bool {
	folder := path.Base(path.Dir(name))
	return extensionOf(name) == ".mtx" && strings.HasPrefix(path.Base(name), folder+"_")
}

// mayBeEdges reports whether a text that begins with head may be an edge list: its first line is a comment without an
// end, names of columns, or numbers in at least two columns. A compressed one may always be.
func mayBeEdges(head []byte) bool {
	if _, packed := packingOf(head); packed {
		return true
	}
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	for line := range bytes.Lines(head) {
		f := fields{text: line}
		if isComment(line, commentsOfSNAP) || f.blank() {
			continue
		}
		words := f.all(separatorOf(line))
		return namesOf(words) != nil || len(words) > 1 && isNumber(words[0]) && isNumber(words[1])
	}
	return len(head) == headBytes
}
