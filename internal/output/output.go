package output

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Table writes text in columns aligned to the right. Flush writes the rows.
type Table struct{ *tabwriter.Writer }

// NewTable returns a table with a row of headings, if there are any.
func NewTable(w io.Writer, head ...string) Table {
	t := Table{tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)}
	if len(head) > 0 {
		t.Row(head...)
	}
	return t
}

// Row adds a row.
func (t Table) Row(cells ...string) { fmt.Fprintln(t, strings.Join(cells, "\t")+"\t") }

// Named adds a row whose last cell is aligned to the left.
func (t Table) Named(cells ...string) {
	last := len(cells) - 1
	fmt.Fprintf(t, "%s\t  %s\n", strings.Join(cells[:last], "\t"), cells[last])
}

// CSV writes rows, of which the first is the header.
func CSV(w io.Writer, rows [][]string) error {
	if err := csv.NewWriter(w).WriteAll(rows); err != nil {
		return fmt.Errorf("cannot write CSV: %w", err)
	}
	return nil
}

// JSON writes a value with two spaces of indentation, and HTML's special characters as they are.
func JSON(w io.Writer, value any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(value)
}

// Document writes an object like JSON, with its format as the first member. The format counts incompatible changes.
func Document(w io.Writer, format int, object any) error {
	var text bytes.Buffer
	if err := JSON(&text, object); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "{\n  \"format\": %d,\n%s", format, bytes.TrimPrefix(text.Bytes(), []byte("{\n")))
	return err
}

// Number returns the shortest decimal number that reads back as x.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
