// SPDX-License-Identifier: Apache-2.0

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

	"g500/internal/expect"
)

// file is a file in an archive.
type file struct{ name, content string }

// tarOf returns a tar archive that is compressed by gzip.
func tarOf(t *testing.T, files []file) []byte {
	t.Helper()
	var b strings.Builder
	w := tar.NewWriter(&b)
	err := w.WriteHeader(&tar.Header{Name: "a/", Typeflag: tar.TypeDir, Mode: 0o755})
	for _, f := range files {
		head := &tar.Header{Name: f.name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(f.content))}
		if err = cmp.Or(err, w.WriteHeader(head)); err == nil {
			_, err = w.Write([]byte(f.content))
		}
	}
	expect.NoError(t, errors.Join(err, w.Close()))
	return gzipOf(t, b.String())
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
	expect.NoError(t, errors.Join(err, w.Close()))
	return b.Bytes()
}

// The graph of an archive is its only file that may be one, or the file that the user names. The checksum covers all.
func TestArchives(t *testing.T) {
	const mtx, edges = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n", "0 1\n0 2\n0 3\n"
	dir := t.TempDir()
	for _, c := range []struct {
		files   []file
		options string
		edges   int64
		want    string // a text of the note or, without edges, of the refusal
	}{
		{[]file{{"README", "read me"}, {"a/a_b.mtx", "x"}, {"a/a.mtx", mtx}, {"a/a_nodename.txt", "x"}}, "", 2,
			"its file a/a.mtx, not README, a/a_b.mtx, a/a_nodename.txt: member= selects another one"},
		{[]file{{"a/README.a", "text"}, {"a/meta.a", "text"}, {"a/out.a", "% sym unweighted\n1 2\n"}}, "", 1,
			"its file a/out.a, not a/README.a, a/meta.a: member="},
		{[]file{{"__MACOSX/._a.mtx", "junk"}, {"a.mtx", mtx}}, "", 2, ""},
		{[]file{{"a", "text"}, {"b", mtx}}, "", 2, "its file b, not a: member="},
		{[]file{{"a.mtx.gz", string(gzipOf(t, mtx))}}, "", 2, ""},
		{[]file{{"a.mtx", mtx}, {"b.edges", edges}}, ",member=b.edges", 3, ""},
		{[]file{{"a/b/a.mtx", mtx}, {"a/b", edges}}, ",member=a/b,format=snap", 3, ""},
		{[]file{{"a.mtx", mtx}, {"r", "text"}, {"b.edges", edges}}, "", 0,
			" is an archive with several files that may be the graph: name the graph by member=, one of a.mtx, b.edges"},
		{[]file{{"s/a.txt", edges}, {"./a.txt", "0 1\n"}}, ",member=a.txt", 1, ""},
		{[]file{{"s/a.txt", edges}, {"t/a.txt", edges}}, ",member=a.txt", 0, "member=, one of s/a.txt, t/a.txt"},
		{[]file{{"a.txt", edges}, {"a.txt", "0 1\n"}}, "", 3, "a.txt is more than once in its archive"},
		{[]file{{"a.mtx", mtx}}, ",member=c.mtx", 0, `no file "c.mtx": name the graph by member=, one of a.mtx`},
		{[]file{{"a/a.mtx", strings.Replace(mtx, "\n3 2\n", "\n4 2\n", 1)}}, "", 0, "/a/a.mtx:4:1: expected a row"},
		{[]file{{"a/a.mtx", ""}}, "", 0, "/a/a.mtx is empty"},
		{[]file{{"a/a_edges.txt", edges}, {"a/labels.txt", "0 3\n"}, {"a/README.txt", "1 9\n"}}, "", 3,
			"a_edges.txt, not a/labels.txt, a/READ"},
		{[]file{{"a/README.txt", "1 9\n"}, {"a/LICENSE.txt", "1 9\n"}, {"a/x.md", "1 9\n"}, {"a/a_A.txt", edges}}, "", 3,
			"not a/"},
		{[]file{{"a/README.txt", "1 9\n"}, {"a/labels.txt", "0 3\n"}}, "", 0,
			"no file that is certainly a graph: name the graph by member=, one of a/README.txt, a/labels.txt"},
		{[]file{{"a/a.mtx", mtx}, {"a/a_edges.txt", edges}, {"a/a_b.mtx", mtx}, {"a/readme", ""}}, "", 0,
			"by member=, one of a/a.mtx, a/a_edges.txt, a/readme, a/a_b.mtx"},
		{[]file{{"a/a_b.mtx", mtx}, {"b.edges", edges}}, "", 3, "its file b.edges, not a/a_b.mtx: member="},
		{[]file{{"a/a_b.mtx", mtx}, {"a/text", ""}}, "", 2, "its file a/a_b.mtx, not a/text: member="},
		{[]file{{"a/a_b.mtx", mtx}, {"a/a_c.mtx", mtx}}, "", 0, "by member=, one of a/a_b.mtx, a/a_c.mtx"},
		{[]file{{"web/readme.txt", "A graph.\n0 1\n"}, {"web/web.mtx", mtx}}, "", 2,
			"its file web/web.mtx, not web/readme.txt"},
		{[]file{{"o/RELEASE_v1.txt", ""}, {"o/raw/edge.csv.gz", string(gzipOf(t, "0,1\n1,2\n"))},
			{"o/raw/node-feat.csv.gz", string(gzipOf(t, "0,1\n"))}, {"o/raw/node_year.csv.gz", string(gzipOf(t, "0\n"))},
			{"o/raw/node-label.csv.gz", string(gzipOf(t, "0\n"))}, {"o/raw/num-edge-list.csv.gz", string(gzipOf(t, "2\n"))},
			{"o/split/time/train.csv.gz", string(gzipOf(t, "0\n"))}, {"o/mapping/README.md", "0 1\n"},
			{"o/mapping/nodeidx2paperid.csv.gz", string(gzipOf(t, "0,9\n"))}}, "",
			2, "o/raw/num-edge-list.csv.gz and 3 more: member="},
		{[]file{{"edge_index.npy", "\x93NUMPY\x01\x00"}}, "", 0, "edge_index.npy is an array of NumPy"},
		{[]file{{"a.csv", "u,v\n0,1\n"}, {"b", "x"}}, ",columns=src,dst", 1, "its file a.csv, not b"},
		{[]file{{"a.csv", "u,v\n0,1\n"}, {"b", "x"}}, "", 0, "nor a line of known column names"},
		{[]file{{"b", "x"}, {"a.csv", "u,v\n0,1\n"}}, "", 0, "; the archive also has b: member= selects another file"},
		{[]file{{"a.csv", "u,v\n0,1\n"}, {"b.txt", "- 1 2"}, {"README.txt", ""}}, "", 0,
			"one of README.txt, a.csv, b.txt"},
		{[]file{{"b.txt", ""}, {"x", "x"}}, "", 0, "b.txt is empty"},
		{[]file{{"._a.mtx", "x"}, {".b", "x"}}, "", 0, "is an archive without files: copy it again"},
		{[]file{{"b/about", "x"}, {"a.txt", "0 1 2\n1 2\n"}}, "", 0, "archive also has b/about: member= selects another"},
		{[]file{{"b/about", "x"}, {"a.txt", "0 1 2\n1 2\n"}}, ",member=a.txt", 0, "before a line of counts"},
		{[]file{{"a/text", "x"}, {"a/a.mtx", mtx}, {"a/a_c.mtx", "x"}, {"a/label.mtx", "x"}}, "", 2,
			"its file a/a.mtx, not a/text, a/label.mtx, a/a_c.mtx: member="},
	} {
		for name, content := range map[string][]byte{"x.tar.gz": tarOf(t, c.files), "x.zip": zipOf(t, c.files)} {
			path := filepath.Join(dir, name)
			expect.NoError(t, os.WriteFile(path, content, 0o644))
			if c.edges == 0 {
				refused(t, "file:"+path+c.options, c.want)
				continue
			}
			g := made(t, "file:"+path+c.options)
			source := []any{g.Edges(), g.Source.Path, g.Source.Fingerprint.Bytes}
			expect.Equal(t, source, []any{c.edges, path, int64(len(content))}, name, c.files)
			checkNotes(t, c.options, g, c.want)
		}
	}
	refused(t, "file:"+expect.Pipe(t, string(zipOf(t, []file{{"a.mtx", mtx}}))), "save it to a file")
	refused(t, "file:"+stored(t, "a.zip.gz", string(zipOf(t, []file{{"a.mtx", mtx}}))), "save it to a file")
	refused(t, "file:"+stored(t, "a.mtx", mtx)+",member=a.mtx", "is for archives, and ")
	path := stored(t, "x.zip", string(zipOf(t, []file{{`a\a.mtx`, mtx}, {`a\a_b.mtx`, "x"}})))
	checkNotes(t, path, made(t, "file:"+path), "is its file a/a.mtx, not a/a_b.mtx: member=")
	arrays := string(zipOf(t, []file{{"edge_index.npy", "\x93NUMPY\x01\x00"}, {"x.npy", "\x93NUMPY\x01\x00"}}))
	refused(t, "file:"+stored(t, "x.npz", arrays), "x.npz is an array of NumPy, which the program does not read: save an")
	refused(t, "file:"+stored(t, "x.npz", arrays)+",member=x.npy", "x.npz/x.npy is an array of NumPy")
}

// The vertices, the direction and the weights of an archive of LDBC Graphalytics are kept, in any order of its files.
func TestArchivesOfLDBC(t *testing.T) {
	edges, vertices := file{"x/x.e", "1 2 0.5\n2 30 0.25\n"}, file{"x/x.v", "1\n2\n30\n400\n"}
	edges.content += strings.Repeat("2 30 0.25\n", 2*readBytes/10) // more than is read before the first edge
	bare := file{"x/x.e", strings.NewReplacer(" 0.25", "", " 0.5", "").Replace(edges.content)}
	for _, c := range []struct {
		properties, options string
		edges               file
		want, note          string
	}{
		{"graph.x.directed = true\n", ",symmetric=auto", edges, "4: 0>1:0.5 1>2:0.25", ""},
		{"graph.x.directed = false\n", ",symmetric=no", edges, "4: 0>1:0.5 1>0:0.5 1>2:0.25 2>1:0.25", ""},
		{"# c\n\ngraph.x.directed=true\ngraph.x.meta.edges = 99999\n", ",symmetric=auto", edges,
			"4: 0>1:0.5 1>2:0.25", "edges, and its properties say 99999: it may be cut off"},
		{"graph.x.directed = true\n", ",symmetric=auto", bare, "4: 0>1 1>2", ""},
	} {
		properties := file{"x/x.properties", c.properties}
		for _, files := range [][]file{{vertices, properties, c.edges}, {c.edges, properties, vertices},
			{properties, c.edges, vertices}, {{"x/x-BFS", "1 0\n"}, c.edges, vertices, properties}} {
			path := stored(t, "x.tar", string(tarOf(t, files)))
			g := made(t, "file:"+path+",labels=renumber"+c.options)
			expect.Equal(t, textOf(g), c.want, c.properties)
			expect.Contains(t, strings.Join(g.Notes, "\n"), c.note)
			expect.Equal(t, made(t, "file:"+path+",member=x/x.e").Vertices(), 401, c.properties)
			expect.Equal(t, g.Labels[3], 400, c.properties)
		}
	}
	inner := string(tarOf(t, []file{edges, vertices, {"x-BFS", "x"}}))
	for _, member := range []string{"in.tar", "in.tar/x/x.e"} {
		path := stored(t, "x.zip", string(zipOf(t, []file{{"in.tar", inner}})))
		g := made(t, "file:"+path+",labels=renumber,member="+member)
		expect.Equal(t, g.Vertices(), 4, member)
		expect.Equal(t, strings.Contains(strings.Join(g.Notes, "\n"), "x-BFS"), member == "in.tar", member)
	}
	path := stored(t, "x.e", "1 2\n")
	expect.NoError(t, os.WriteFile(strings.TrimSuffix(path, "e")+"v", []byte("1\n2\n"), 0o600))
	checkNotes(t, path, made(t, "file:"+path), "x.v and .properties next to")
	for content, want := range map[string]string{"a\n": "x/x.v:1:1: expected the label of a vertex",
		"4294967295\n": "have labels up to 4294967295: labels=renumber"} {
		refused(t, "file:"+stored(t, "x.zip", string(zipOf(t, []file{edges, {"x/x.v", content}}))), want)
	}
}

// The graph of an archive in an archive is named by the names of both.
func TestNestedArchives(t *testing.T) {
	inner := tarOf(t, []file{{"a.txt", "0 1\n"}, {"b/c.txt", "0 1\n1 2\n"}, {"d.txt.gz", string(gzipOf(t, "0 5\n"))}})
	path := stored(t, "x.zip", string(zipOf(t, []file{{"in", "0 1\n"}, {"d/in.tar", string(inner)}, {"in.mtx", "x"}})))
	for options, edges := range map[string]int64{
		",member=d/in.tar/a.txt": 1, ",member=./d/in.tar/b/c.txt": 2, ",member=d/in.tar/d.txt.gz": 1,
	} {
		expect.Equal(t, made(t, "file:"+path+options).Edges(), edges, options)
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
		content := expect.Value(os.ReadFile("testdata/cases/" + name))(t)
		contents[name] = content
	}
	for name, content := range contents {
		path := filepath.Join(t.TempDir(), name)
		for _, length := range []int{len(content) - 1, len(content) / 2, 20} {
			expect.NoError(t, os.WriteFile(path, content[:length], 0o644))
			refused(t, "file:"+path, " cannot be read to its end, it may be damaged: ", ": copy it again")
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
	for _, head := range []zip.FileHeader{{Name: "a.txt", Method: 14}, {Name: "a.txt", Method: zip.Store, Flags: 1}} {
		var content bytes.Buffer
		w := zip.NewWriter(&content)
		expect.NoError(t, errors.Join(expect.Err(w.CreateRaw(&head)), w.Close()))
		refused(t, "file:"+stored(t, "a.zip", content.String()), "with an encryption or a compression that", "7z x")
	}
	path = stored(t, "a.txt.gz", "0 1\n")
	expect.NoError(t, os.Truncate(path, 20))
	refused(t, "file:"+path, path+" cannot be read to its end")
	for more, want := range map[string]string{"\x1f": "cannot be read to its end",
		strings.Repeat("junk", 9): "other bytes after its compressed content: "} {
		refused(t, "file:"+stored(t, "a.txt", string(gzipOf(t, "0 1\n"))+more), want)
	}
	twice := stored(t, "a.txt", string(gzipOf(t, "0 1\n"))+string(gzipOf(t, "1 2\n")))
	expect.Equal(t, made(t, "file:"+twice).Edges(), 2, "two compressed streams")
}
