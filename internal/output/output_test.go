// SPDX-License-Identifier: Apache-2.0

package output

import (
	"math"
	"strings"
	"testing"

	"g500/internal/expect"
)

// Columns are two blanks apart, words on the left and figures on the right; letters count, not their bytes.
func TestTable(t *testing.T) {
	table := Table{Head: []string{"node", "n", "bytes", "kernel"}, Words: 1, Named: true}
	table.Row("nöde 7", 10, int64(3), "a")
	x := 0.5
	table.Row("b", &x, math.Inf(1), "a name")
	want := "  node      n  bytes  kernel\n  nöde 7   10      3  a\n  b       0.5         a name\n"
	expect.Equal(t, table.Text(), want)
	table.Title, table.Note = "Title", "note"
	expect.Equal(t, table.Text(), "Title\nnote\n"+want, "with a title")
	expect.Equal(t, Cells((*float64)(nil))[0], "", "an absent figure")
}

// A short row ends with a sentence, which widens no column. A line breaks between words, also of two bytes per letter.
func TestSentences(t *testing.T) {
	table := Table{Head: []string{"ranks", "runs", "rate"}}
	table.Row(1, 2, 3)
	table.Row(2, "it failed, as nobody knew")
	want := "  ranks  runs  rate\n      1     2     3\n      2  it failed, as nobody knew\n"
	expect.Equal(t, table.Text(), want)
	word := strings.Repeat("ö", 50)
	for text, want := range map[string]string{
		word + " " + word[:60]: word + "\n- " + word[:60], word + " " + word[:58]: word + " " + word[:58],
		word + word + " a": word + word + " a", "a\nb": "a\nb",
	} {
		expect.Equal(t, Wrapped(text, "- "), want, text, "is wrapped as")
	}
}

// A spreadsheet takes no cell for a formula, and numbers stay numbers.
func TestCSVHasNoFormulas(t *testing.T) {
	var text strings.Builder
	rows := [][]string{{"=cmd|'/c calc'!A1", "@SUM(1)", "+1+1", "-1+1", "-x", "\tx", "\rx"},
		{"-1.5", "+2e-3", "-Inf", "-7", "", "a=b", "1-2"}}
	expect.NoError(t, CSV(&text, rows))
	want := "'=cmd|'/c calc'!A1,'@SUM(1),'+1+1,'-1+1,'-x,'\tx,\"'\rx\"\n-1.5,+2e-3,-Inf,-7,,a=b,1-2\n"
	expect.Equal(t, text.String(), want)
}

// JSON keeps all characters, and has escapes of those that a terminal obeys.
func TestJSONHasNoControlCharacters(t *testing.T) {
	var text strings.Builder
	expect.NoError(t, JSON(&text, []string{"\x1b[31m \u009b \u202e \U000e0001 nöde <b>"}))
	expect.Equal(t, text.String(), "[\n  \"\\u001b[31m \\u009b \\u202e \\udb40\\udc01 nöde <b>\"\n]\n")
}

func TestNumbersReadBack(t *testing.T) {
	for x, want := range map[float64]string{
		0.1: "0.1", 1e21: "1e+21", 1 / 3.0: "0.3333333333333333", math.Inf(1): "", math.NaN(): "",
	} {
		expect.Equal(t, Number(x), want, x, "written")
	}
}

// A number that is not finite is null and leaves the rest as it is: the texts too, and the value itself.
func TestNumbersThatAreNotFiniteAreNull(t *testing.T) {
	type Inner struct{ X, Y float64 }
	type outer struct {
		Inner
		Text string
		At   *Inner
		List []float64
		None []Inner
	}
	value := outer{Inner: Inner{math.NaN(), 0.5}, Text: "-1.7976931348623157e+308,\n <", At: &Inner{1, math.Inf(-1)},
		List: []float64{math.Inf(1), 2}}
	for range 2 { // the first time changes nothing
		line, err := JSONLine(value)
		want := `{"X":null,"Y":0.5,"Text":"-1.7976931348623157e+308,\n <","At":{"X":1,"Y":null},"List":[null,2],"None":null}`
		expect.That(t, string(line) == want && err == nil, "%s, error %v, want %s", line, err, want)
	}
}

func TestMetrics(t *testing.T) {
	var m Metrics
	m.Gauge("a_seconds", `a time \ of`+"\nsomething", 0.1, Label{"node", `n"1\` + "\n"})
	m.Flag("b", "a state", true)
	m.Gauge("a_seconds", "", math.Inf(1), Label{"node", "n2"})
	var text strings.Builder
	expect.NoError(t, m.Write(&text))
	want := "# HELP a_seconds a time \\\\ of\\nsomething\n# TYPE a_seconds gauge\n" +
		`a_seconds{node="n\"1\\\n"} 0.1` + "\n" + `a_seconds{node="n2"} +Inf` + "\n# HELP b a state\n# TYPE b gauge\nb 1\n"
	expect.Equal(t, text.String(), want)
}
