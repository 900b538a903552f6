package output

import (
	"math"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var text strings.Builder
	table := NewTable(&text, "n", "bytes")
	table.Row("10", "3")
	table.Named("1", "a name")
	if err := table.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "   n  bytes\n  10      3\n   1  a name\n"; text.String() != want {
		t.Errorf("got\n%swant\n%s", text.String(), want)
	}
}

func TestNumbersReadBack(t *testing.T) {
	for x, want := range map[float64]string{
		0.1: "0.1", 1e21: "1e+21", 1 / 3.0: "0.3333333333333333", math.Inf(1): "+Inf",
	} {
		if got := Number(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}
