package formats

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// file is a file in an archive.
type file struct{ name, content string }

// tarOf returns a tar archive that is compressed by gzip.
func tarOf(t *testing.T, files []file) []byte {
	t.Helper()
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	w := tar.NewWriter(packed)
	err := w.WriteHeader(&tar.Header{Name: "a/", Typeflag: tar.TypeDir, Mode: 0o755})
	for _, f := range files {
		head := &tar.Header{Name: f.name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(f.content))}
		if err = cmp.Or(err, w.WriteHeader(head)); err == nil {
			_, err = w.Write([]byte(f.content))
		}
	}
	if err := errors.Join(err, w.Close(), packed.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t *testing.T, files []file) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	_, err := w.Create("a/")
	for _, f := range files {
		into, err2 := w.Create(f.name)
		if err = cmp.Or(err, err2); err == nil {
			_, err = into.Write([]byte(f.content))
		}
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The graph of an archive is its only file that may be one, or the file that the user names. The checksum covers the
// complete archive.
func TestArchives(t *testing.T) {
	const mtx, edges = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n", "0 1\n0 2\n0 3\n"
	dir := t.TempDir()
	for _, c := range []struct {
		files   []file
		options string
		edges   int64
		want    string // of the refusal
	}{
		{[]file{{"README", "read me"}, {"a/a_b.mtx", "x"}, {"a/a.mtx", mtx}, {"a/a_nodename.txt", "x"}}, "", 2, ""},
		{[]file{{"a/README.a", "text"}, {"a/meta.a", "text"}, {"a/out.a", "% sym unweighted\n1 2\n"}}, "", 1, ""},
		{[]file{{"__MACOSX/._a.mtx", "junk"}, {"a.mtx", mtx}}, "", 2, ""},
		{[]file{{"a", "text"}, {"b", mtx}}, "", 2, ""},
		{[]file{{"a.mtx.gz", string(gzipOf(t, mtx))}}, "", 2, ""},
		{[]file{{"a.mtx", mtx}, {"b.edges", edges}}, ",member=b.edges", 3, ""},
		{[]file{{"a/b/a.mtx", mtx}, {"a/b", edges}}, ",member=a/b,format=snap", 3, ""},
		{[]file{{"a.mtx", mtx}, {"r", "text"}, {"b.edges", edges}}, "", 0,
			" is an archive with several files that may be the graph: name the graph by member=, one of a.mtx, b.edges"},
		{[]file{{"s/a.txt", edges}, {"./a.txt", "0 1\n"}}, ",member=a.txt", 1, ""},
		{[]file{{"s/a.txt", edges}, {"t/a.txt", edges}}, ",member=a.txt", 0, "member=, one of s/a.txt, t/a.txt"},
		{[]file{{"a.txt", edges}, {"a.txt", "0 1\n"}}, "", 3, ""},
		{[]file{{"a.txt", edges}, {"a.txt", "0 1\n"}}, ",member=a.txt", 3, ""},
		{[]file{{"a.mtx", mtx}}, ",member=c.mtx", 0, `no file "c.mtx": name the graph by member=, one of a.mtx`},
		{[]file{{"a", edges}, {"b", edges}}, "", 0,
			"no file that is certainly a graph: name the graph by member=, one of a, b"},
		{[]file{{"a/a.mtx", strings.Replace(mtx, "2 3\n", "2 4\n", 1)}}, "", 0, "/a/a.mtx:4:3: expected a column"},
		{[]file{{"a/a.mtx", ""}}, "", 0, "/a/a.mtx is empty"},
	} {
		for name, content := range map[string][]byte{"x.tar.gz": tarOf(t, c.files), "x.zip": zipOf(t, c.files)} {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, content, 0o644); err != nil {
				t.Fatal(err)
			}
			if c.want != "" {
				refused(t, "file:"+path+c.options, c.want)
				continue
			}
			g := made(t, "file:"+path+c.options)
			if g.Edges() != c.edges || g.Source.Path != path || g.Source.Fingerprint.Bytes != int64(len(content)) {
				t.Errorf("%s of %v: %d edges, source %+v of %d bytes", name, c.files, g.Edges(), g.Source, len(content))
			}
		}
	}
	refused(t, "file:"+pipeOf(t, zipOf(t, []file{{"a.mtx", mtx}})), "save it to a file")
	refused(t, "file:"+stored(t, "a.zip.gz", string(zipOf(t, []file{{"a.mtx", mtx}}))), "save it to a file")
	refused(t, "file:"+stored(t, "a.mtx", mtx)+",member=a.mtx", "is for archives, and ")
	refused(t, "file:"+stored(t, "a.mtx.lzma", "\x5d\x00\x00..."), "compressed by lzma")
	refused(t, "file:"+stored(t, "a.mtx.lz4", "\x04\x22\x4d\x18..."), "compressed by lz4, which the program does not read")
}

// The graph of an archive in an archive is named by the names of both.
func TestNestedArchives(t *testing.T) {
	inner := tarOf(t, []file{{"a.txt", "0 1\n"}, {"b/c.txt", "0 1\n1 2\n"}, {"d.txt.gz", string(gzipOf(t, "0 5\n"))}})
	path := stored(t, "x.zip", string(zipOf(t, []file{{"in", "0 1\n"}, {"d/in.tar", string(inner)}, {"in.mtx", "x"}})))
	for options, edges := range map[string]int64{
		",member=d/in.tar/a.txt": 1, ",member=./d/in.tar/b/c.txt": 2, ",member=d/in.tar/d.txt.gz": 1,
	} {
		if g := made(t, "file:"+path+options); g.Edges() != edges {
			t.Errorf("%s: %d edges, want %d", options, g.Edges(), edges)
		}
	}
	for member, want := range map[string]string{
		"d/in.tar":               "x.zip/d/in.tar is an archive with several files that may be the graph: name the graph by",
		"d/in.tar/c.txt":         `no file "c.txt": name the graph by member=, one of d/in.tar/a.txt, d/in.tar/b/c.txt,`,
		"d/in.tar/d.txt.gz/x":    "member=x is for archives, and " + path + "/d/in.tar/d.txt.gz is none: leave out x",
		"in/a.txt":               `no file "in/a.txt": name the graph by member=, one of in, d/in.tar, in.mtx`,
		"d/in.tar/b/c.txt/e.txt": "no file",
	} {
		refused(t, "file:"+path+",member="+member, want)
	}
}

// A truncated archive or compressed file is refused as damaged, not read as a smaller graph.
func TestTruncatedArchives(t *testing.T) {
	text := "# Nodes: 9\n" + strings.Repeat("0 1\n2 3\n4 17\n", 9999)
	contents := map[string][]byte{"a.tar.gz": tarOf(t, []file{{"a.txt", text}}), "a.txt.gz": gzipOf(t, text)}
	for _, name := range []string{"c.mtx.bz2", "c.mtx.xz", "c.mtx.zst"} {
		content, err := os.ReadFile("testdata/cases/" + name)
		if err != nil {
			t.Fatal(err)
		}
		contents[name] = content
	}
	for name, content := range contents {
		path := filepath.Join(t.TempDir(), name)
		for _, length := range []int{len(content) - 1, len(content) / 2, 20} {
			if err := os.WriteFile(path, content[:length], 0o644); err != nil {
				t.Fatal(err)
			}
			refused(t, "file:"+path, "may be damaged")
		}
	}
}

// Each refusal of a packed file names its cure, and an archive by its own path.
func TestCuresOfPackedFiles(t *testing.T) {
	path := stored(t, "x.tar", string(tarOf(t, []file{{"a.txt", "0 1\n"}, {"b.txt", "0 1\n"}})))
	refused(t, "file:"+path, path+" is an archive")
	text := "0 1\n"
	for range 5 {
		text = string(gzipOf(t, text))
	}
	refused(t, "file:"+stored(t, "a.txt", text), "is packed more than 4 times: unpack it once")
	refused(t, "file:"+stored(t, "a.zst", "\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00"), "zstd -dc --long=31 FILE")
	var lzma bytes.Buffer
	w := zip.NewWriter(&lzma)
	if _, err := w.CreateRaw(&zip.FileHeader{Name: "a.txt", Method: 14}); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	refused(t, "file:"+stored(t, "a.zip", lzma.String()), "7z x")
}

func gzipOf(t *testing.T, content string) []byte {
	t.Helper()
	data, err := os.ReadFile(stored(t, "a.gz", content))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
