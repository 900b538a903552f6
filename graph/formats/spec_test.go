// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"g500/internal/expect"
)

func TestSpecs(t *testing.T) {
	for text, want := range map[string]string{
		"":                      `there is no kind "" of graphs; there are kron, rmat, uniform, grid2d, grid3d, geometric,`,
		"graph.mtx":             "a file is named as file:PATH",
		"kron:":                 "",
		"kron":                  "",
		"kron:scale=5":          "",
		"kron:scale":            `"scale" is not a parameter; kron takes scale, edgefactor, seed, seed2, symmetric,`,
		"kron:scale=5,":         `"" is not a parameter`,
		"kron:scale=0":          `scale = "0": it must be a whole number from 1 to 31`,
		"kron:scale=32":         `scale = "32": it must be a whole number from 1 to 31`,
		"kron:scale=5,scale=6":  "scale is given twice, the second time by scale=6: leave one of them out",
		"kron:factor=5":         `"factor=5" is not a parameter; kron takes scale,`,
		"kron:seed=-1":          `seed = "-1": it must be a whole number from 0 to 2^64-1`,
		"kron:symmetric=true":   `symmetric = "true": it must be yes or no`,
		"kron:weights=1":        `weights = "1": it must be keep or uniform or integer or none`,
		"rmat:a=0.6,b=0.3,c=.2": "a + b + c is more than 1",
		"rmat:a=0.6,b=0.2,c=.2": "",
		"rmat:a=1.5":            `a = "1.5": it must be a number from 0 to 1`,
		"rmat:a=nan":            `a = "nan": it must be a number from 0 to 1`,
		"uniform":               "vertices is missing, number of vertices, as in uniform:vertices=1000000,degree=16",
		"uniform:vertices=9":    "degree = 16: 9 vertices have at most 8 neighbours each",
		"uniform:vertices=17":   "",
		"grid2d":                "WxH is missing, its sides, in vertices, as in grid2d:512x512",
		"grid2d:5":              `WxH = "5": it must be 2 sides, as in 64x64`,
		"grid2d:0x5":            `WxH = "0x5"`,
		"grid2d:99999x99999":    "of at most 2^32-1 vertices together",
		"grid2d:5x5,WxH=3x3":    `"WxH=3x3" is not a parameter`,
		"grid3d:64x64x64,diagonal=true,shuffle=true,seed=3": "",
		"road:9x9,keep=1.1": `keep = "1.1": it must be a number from 0 to 1`,
		"file":              "PATH is missing, the file; - is standard input, as in file:graph.mtx.gz",
		"file:a.csv,columns=src,dst,weight,-,symmetric=no": "",
		"file:a.mtx,symmetric=no,symmetric=no":             "symmetric is given twice, the second time by symmetric=no",
		"file:a.csv,columns=src,weight":                    `columns = "src,weight": it must be auto, or src, dst, weight`,
		"file:a.csv,columns=src,dst,dst":                   `columns = "src,dst,dst": it must be`,
		"https://example.org/web.mtx.gz":                   "the program does not download: download the file first",
		"file:https://example.org/web.mtx.gz":              "name it as file:NAME",
		"file:a.zip,member=a/b.mtx,symmetric=no":           "",
		"file:a.mtx,format=csv":                            `format = "csv": it must be auto or mtx or gr or metis`,
	} {
		s, err := Parse(text)
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", text, err)
		case want == "" && s.String() != strings.TrimSuffix(text, ":"):
			t.Errorf("%q is %q", text, s)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A file named - is standard input.
func TestStandardInput(t *testing.T) {
	if s := mustParse(t, "file:-,symmetric=no"); s.values["PATH"] != "/dev/stdin" {
		t.Errorf("the path is %q", s.values["PATH"])
	}
}

// The table is consistent: kinds take their examples, and parameters their defaults but no empty value.
func TestTableOfKinds(t *testing.T) {
	for _, k := range Kinds() {
		if _, err := Parse(k.Form); err != nil || !strings.HasPrefix(k.Form, k.Name) || k.Help == "" {
			t.Errorf("%s: %v", k.Name, err)
		}
		made := func(spec string) bool { return strings.HasPrefix(spec, k.Name+":") }
		if k.size != nil && !slices.ContainsFunc(allKinds, made) {
			t.Errorf("no test makes a graph of kind %s", k.Name)
		}
		for _, p := range k.params() {
			if p.Default != "" && !p.takes(p.Default) {
				t.Errorf("%s: %s is %q by default, which it does not take", k.Name, p.Key, p.Default)
			}
			if p.Help == "" || p.Range == "" || p.takes("") {
				t.Errorf("%s: %s has no help or range, or accepts an empty value", k.Name, p.Key)
			}
		}
	}
}

// A graph that does not fit into memory is refused before it is made, and the size in the message fits.
func TestTooLargeGraphsAreRefused(t *testing.T) {
	const limit = 64 << 20
	for text, form := range map[string]string{
		"kron:scale=31": "kron:%s", "rmat:scale=31,weights=uniform": "rmat:%s,weights=uniform",
		"uniform:vertices=4000000000": "uniform:%s", "geometric:vertices=4000000000": "geometric:%s",
		"grid2d:60000x60000": "grid2d:%s", "grid3d:1600x1600x1600,diagonal=true": "grid3d:%s,diagonal=true",
		"road:40000x40000": "road:%s",
		"file:" + stored(t, "a.mtx.gz", "%%MatrixMarket matrix coordinate pattern general\n9 9 99999999\n1 2\n"): "",
		"file:" + stored(t, "a.txt.gz", strings.Repeat("1 2\n", 6000000)):                                        "",
	} {
		_, err := mustParse(t, text).Make(t.Context(), 2, limit)
		_, cure, _ := strings.Cut(fmt.Sprint(err), "of memory while it is made, and 64 MiB are free: ")
		if form == "" {
			expect.Equal(t, cure, "use a machine with more memory", text)
			continue
		}
		largest := mustParse(t, fmt.Sprintf(form, strings.TrimSuffix(cure, " fits")))
		size, err := largest.kind.size(largest.values)
		if need := size.memory(largest.values); err != nil || need > limit || need < limit/8 {
			t.Errorf("%s: %v needs %d bytes of %d (%v)", text, largest, need, limit, err)
		}
	}
	expect.NoError(t, expect.Err(mustParse(t, "kron:scale=10").Make(t.Context(), 2, limit)))
}

// A misspelt parameter is part of the file's name, so the error of the missing file names it.
func TestMisspeltParametersOfFiles(t *testing.T) {
	path := stored(t, "a.txt", "0 1\n")
	refused(t, "file:"+path+",symmetric=no,lables=renumber,columns=src,dst", "no such file",
		`a.txt exists, and "lables" is not a parameter; file takes PATH, member,`)
	refused(t, "file:"+path+",directed", `a.txt exists, and "directed" is not a parameter`)
}
