// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"g500/internal/output"
	"g500/record"
)

// WriteText writes the runs that predictions rest on and a row per prediction, and if detailed a row per step.
func WriteText(w io.Writer, all []Prediction, detailed bool) error {
	t := output.Table{Named: true, Title: "Predicted from " + strings.Join(all[len(all)-1].From, ", "),
		Head: strings.Split("GPUs,scale,step,computes,reports,bits,received,pairs,received,search,TEPS,per GPU,link", ",")}
	for _, p := range all {
		for i, x := range append(p.Terms, p.Sum()) {
			cells := []string{strconv.Itoa(p.GPUs), fmt.Sprintf("%.4g", p.Scale), x.Step, record.FormatSeconds(x.Computes),
				record.FormatSeconds(x.Reports), record.FormatSeconds(x.Bits), record.FormatBytes(x.BytesOfBits),
				record.FormatSeconds(x.Pairs), record.FormatBytes(x.BytesOfPairs)}
			if i == len(p.Terms) {
				cells = append(cells, record.FormatSeconds(x.Seconds()), record.FormatTEPS(p.TEPS()),
					record.FormatTEPS(p.TEPS()/float64(p.GPUs)), p.Link+map[bool]string{true: ", queries"}[p.Query])
			}
			if detailed || i == len(p.Terms) {
				t.Rows = append(t.Rows, cells)
			}
		}
	}
	_, err := io.WriteString(w, t.Text())
	return err
}
