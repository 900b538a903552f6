package repolint

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// retired is a word that the project does not use, since the field has one for the same thing.
type retired struct {
	word    string         // a regular expression
	instead string         // what to say
	honest  *regexp.Regexp // where the word is plain English, or somebody else's; nil for nowhere
	folders []string       // where it is refused; nil for everywhere
}

// kernels are the folders that are about searches on GPUs. Some words are plain English elsewhere: a plot has
// letters, a rate lies near another.
var kernels = []string{"cuda", "gpu"}

// retiredWords are refused in code, comments and documents. They stand between word boundaries. A word is here only
// if nobody needs it to say something else, in the folders that it is refused in.
var retiredWords = []retired{
	{word: `[Ss]trangers?`, instead: "remote rank"},
	{word: `Office`, instead: "host proxy"},
	{word: `[Pp]arcels?`, instead: "message header"},
	{word: `[Mm]eetings?`, instead: "grid barrier, or barrier"}, // "ranks meet" is plain English
	{word: `come_together|await_others|await_blocks`, instead: "arrive, wait, arrive_and_wait"},
	{word: `[Mm]ail(box(es)?)?`, instead: "rank barrier, or counters published there",
		honest: regexp.MustCompile(`e-?mail|-mail`)}, // Slurm has --mail-type
	{word: `[Bb]oards?`, instead: "shared-memory window, or card for a GPU", honest: regexp.MustCompile(`on-?board`)},
	{word: `[Oo]utlook`, instead: "estimate of the next frontier's edges"},
	{word: `[Uu]ntold`, instead: "unpublished"},
	{word: `[Ll]ast pass`, instead: "relabelling"},
	{word: `handover|hand(s|ed)?_over`, instead: "overlapped relabelling"}, // "hands over" is plain English
	{word: `by_other`, instead: "not_first_parent"},
	{word: `whole levels?|search(ed|es)? whole`, instead: "replicated frontier"},
	{word: `firsts`, instead: "first-neighbour edges"},
	{word: `News`, instead: "counters"},
	{word: `news`, instead: "counters", folders: []string{"cuda", "gpu", "docs"}},
	{word: `[Ll]etters`, instead: "send buffers", folders: kernels},
	{word: `[Uu]nresolved`, instead: "deferred", folders: kernels,
		honest: regexp.MustCompile(`unresolved (symbol|external|reference)s?`)},
	{word: `laid`, instead: "edges in the queue", folders: kernels, honest: regexp.MustCompile(`laid (out|down)`)},
}

// retiredNames are refused as words of names in cuda/ and gpu/, where underscores stand between the words: IsNear,
// isNear and is_near are all "is_near". In a sentence they are plain English.
var retiredNames = []retired{
	{word: `mail|news|speaks?|listens?|hear|heard`, instead: "publish, collect"},
	{word: `meeting|come`, instead: "barrier, arrive"},
	{word: `office`, instead: "host_proxy"},
	{word: `letters?|search_rooms`, instead: "send_buffer, receive_buffer"},
	{word: `board|boards`, instead: "window"},
	{word: `stranger|strangers`, instead: "remote"},
	{word: `is_near|near_ranks?|near_peers?`, instead: "via_window, or shares_memory"},
	{word: `carried`, instead: "via_messages"},
	{word: `apart`, instead: "some_remote"},
	{word: `wanted|unresolved`, instead: "deferred", folders: []string{"cuda"}}, // tests have what they wanted
	{word: `laid`, instead: "queued_edges"},
	{word: `untold`, instead: "unpublished"},
	{word: `outlook`, instead: "estimate"},
	{word: `firsts`, instead: "first_neighbours"},
	{word: `keep_own|by_other`, instead: "not_first_parent, or what the field says"},
	{word: `marks_in|send_marks|level_marked`, instead: "bitmap"},
	{word: `(level|plan|expand|k)_whole`, instead: "replicated"},
	{word: `(level|plan|settle|gather|prepare|looks?_for)_rest`, instead: "residual"},
	{word: `handover|hands?_over|handed_over`, instead: "relabel"},
}

// exempt are the files that have to name retired words.
var exempt = []string{"docs/GLOSSARY.md", "internal/repolint/words_test.go", "internal/repolint/planted_test.go"}

// wordFaults finds retired words, in tests too.
func wordFaults(tree fs.FS) (faults []string, err error) {
	files, err := textFiles(tree, inGo, inC, inShell, inMake, inTOML, inMarkdown)
	if err != nil {
		return nil, err
	}
	anywhere, names := compileWords(retiredWords, `\b(?:%s)\b`), compileWords(retiredNames, `(?:^|_)(?:%s)(?:_|$)`)
	for _, f := range files {
		if slices.Contains(exempt, f.path) {
			continue
		}
		faults = append(faults, proseFaults(f, anywhere)...)
		if (f.kind == inGo || f.kind == inC) && f.isIn(kernels...) {
			faults = append(faults, nameFaults(f, names)...)
		}
	}
	return faults, nil
}

// anyRetired is any of retiredWords: one look at most lines is enough.
var anyRetired = func() *regexp.Regexp {
	var words []string
	for _, w := range retiredWords {
		words = append(words, w.word)
	}
	return regexp.MustCompile(`\b(?:` + strings.Join(words, "|") + `)\b`)
}()

// compileWords compiles the words, each put into the form.
func compileWords(words []retired, form string) (compiled []*regexp.Regexp) {
	for _, w := range words {
		compiled = append(compiled, regexp.MustCompile(fmt.Sprintf(form, w.word)))
	}
	return compiled
}

// proseFaults finds retiredWords in a file, each once a line.
func proseFaults(f textFile, words []*regexp.Regexp) (faults []string) {
	for i, line := range strings.Split(f.text, "\n") {
		if !anyRetired.MatchString(line) {
			continue
		}
		for j, word := range words {
			w, rest := retiredWords[j], line
			if w.folders != nil && !f.isIn(w.folders...) {
				continue
			}
			if w.honest != nil {
				rest = w.honest.ReplaceAllString(line, " ")
			}
			if found := word.FindString(rest); found != "" {
				faults = append(faults, fmt.Sprintf("%s:%d says %q: say %s", f.path, i+1, found, w.instead))
			}
		}
	}
	return faults
}

// nameFaults finds retiredNames in the code of a file and in its own name, each name once.
func nameFaults(f textFile, words []*regexp.Regexp) (faults []string) {
	seen := map[string]bool{}
	look := func(name, place string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for j, word := range words {
			if w := retiredNames[j]; w.folders != nil && !f.isIn(w.folders...) {
				continue
			}
			if word.MatchString(underscored(name)) {
				faults = append(faults, fmt.Sprintf("%s has the name %s: say %s", place, name, retiredNames[j].instead))
			}
		}
	}
	base := path.Base(f.path)
	look(strings.TrimSuffix(base, path.Ext(base)), f.path)
	for i, line := range strings.Split(bare(f.text), "\n") {
		for _, name := range anyName.FindAllString(line, -1) {
			look(name, fmt.Sprintf("%s:%d", f.path, i+1))
		}
	}
	return faults
}

var anyName = regexp.MustCompile(`[A-Za-z_]\w*`)

// underscored is a name in small letters with underscores between its words.
func underscored(name string) string {
	var b strings.Builder
	before := '_'
	for _, r := range name {
		if unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before)) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	return b.String()
}
