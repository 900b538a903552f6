package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/cmd/cli"
	"g500/cmd/cli/clitest"
	"g500/record"
)

// archived returns the bytes of an archive with these entries, whose content is in Uname.
func archived(t *testing.T, files ...tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	archive := tar.NewWriter(packed)
	for _, file := range files {
		text := file.Uname
		file.Uname, file.Size, file.Mode = "", int64(len(text)), 0o600
		if err := archive.WriteHeader(&file); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// The report of an archive is the report of the folder that was packed, at the place where it would be unpacked. Other
// commands read an archive as its folder, and name runs that cannot be read.
func TestReportReadsAnArchive(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	for _, name := range []string{"few/a", "few/deep/b"} {
		mustCall(t, "run", "--scale", "6", "--keys", "2", "--output", filepath.Join(from, name))
	}
	run := read(t, filepath.Join(from, "few/a", record.File))
	writeText(t, filepath.Join(to, "few.tar.gz"), archived(t, tar.Header{Name: "few/", Typeflag: tar.TypeDir},
		tar.Header{Name: "few/a/run.json", Uname: run}, tar.Header{Name: "few/a/notes.txt", Uname: "left out"},
		tar.Header{Name: "few/deep/b/run.json", Uname: read(t, filepath.Join(from, "few/deep/b", record.File))},
		tar.Header{Name: "few/c/run.json", Uname: run[:99]}))
	if err := os.Mkdir(filepath.Join(from, "few/c"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeText(t, filepath.Join(from, "few/c/run.json"), run[:99])
	_, _, folderNotes := call("report", filepath.Join(from, "few"))
	status, out, notes := call("report", filepath.Join(to, "few.tar.gz"))
	if status != success || notes != strings.ReplaceAll(folderNotes, from, to) || !strings.Contains(out, "2 runs") {
		t.Errorf("status %d, %q, notes\n%snot\n%s", status, out, notes, folderNotes)
	}
	for _, name := range []string{cli.PageFile, cli.MarkdownFile, runsFile} {
		got, want := read(t, filepath.Join(to, "few/report", name)), read(t, filepath.Join(from, "few/report", name))
		if got != strings.ReplaceAll(want, from, to) {
			t.Errorf("%s differs between folder and archive", name)
		}
	}
	for _, command := range []string{"compare FEW FEW", "model FEW"} {
		said := map[string]string{}
		for place, few := range map[string]string{from: "few", to: "few.tar.gz"} {
			_, out, errOut := call(strings.Fields(strings.ReplaceAll(command, "FEW", filepath.Join(place, few)))...)
			said[place] = strings.ReplaceAll(out+errOut, place, "")
		}
		if said[from] != said[to] || !strings.Contains(said[to], "few/c/run.json was left out") {
			t.Errorf("%s of a folder: %s\nof an archive: %s", command, said[from], said[to])
		}
	}
	if left, _ := filepath.Glob(os.TempDir() + "/*"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// An archive that would write elsewhere or fill the disk, or is damaged, is refused in one sentence.
func TestReportRefusesBadArchives(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	bytesBefore, recordsBefore := cli.ArchiveBytes, cli.ArchiveRecords
	defer func() { cli.ArchiveBytes, cli.ArchiveRecords = bytesBefore, recordsBefore }()
	cli.ArchiveBytes, cli.ArchiveRecords = 1<<20, 3
	good := archived(t, tar.Header{Name: "a/run.json", Uname: strings.Repeat("x", 5000)})
	flipped := bytes.Clone(good)
	flipped[len(flipped)-5] ^= 1 // of the checksum
	named := func(name string) tar.Header { return tar.Header{Name: name} }
	one := named("run.json")
	link := func(name, to string, kind byte) tar.Header {
		return tar.Header{Name: name, Linkname: to, Typeflag: kind}
	}
	for want, content := range map[string][]byte{
		`"/etc/run.json" leads out of a folder`: archived(t, named("/etc/run.json")),
		`"../run.json" leads out of a folder`:   archived(t, named("../run.json")),
		`"a/../../log.txt" leads out`:           archived(t, named("a/../../log.txt")),
		`"a" is neither a file nor a folder`:    archived(t, link("a", "/etc", tar.TypeSymlink)),
		`"b" is neither`:                        archived(t, one, link("b", "run.json", tar.TypeLink)),
		`"c" is neither`:                        archived(t, tar.Header{Name: "c", Typeflag: tar.TypeFifo}),
		"file already exists":                   archived(t, one, one),
		"run.json/run.json\": cannot":           archived(t, one, named("run.json/run.json")),
		"more than 3 records": archived(t, one, named("b/run.json"), named("c/run.json"),
			named("d/study.toml")),
		"unpacks to more than 1 MiB":           archived(t, tar.Header{Name: "log.txt", Uname: strings.Repeat("0", 2<<20)}),
		"is damaged or cut off: copy it again": good[:len(good)/2],
		"is damaged or cut off: copy":          flipped,
		"not compressed by gzip":               []byte("PK\x03\x04"),
		"there is no run in":                   archived(t, named("a/log.txt")),
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "x.tar.gz")
		writeText(t, path, content)
		status, out, errOut := call("report", path)
		if status != misuse || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, want) ||
			strings.Contains(errOut, os.TempDir()) || clitest.WordsOfGo.MatchString(errOut) {
			t.Errorf("want %q: status %d, %q, %q", want, status, out, errOut)
		}
		if left, _ := filepath.Glob(os.TempDir() + "/*"); len(left) > 0 {
			t.Fatalf("want %q: left behind: %q", want, left)
		}
	}
}
