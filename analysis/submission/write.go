package submission

import (
	"fmt"
	"io"
	"strings"
)

// Write lists the rules, each with how the run breaks it, and the remarks.
func Write(w io.Writer, rules []Rule, remarks []string) error {
	var b strings.Builder
	for _, r := range rules {
		if r.Fault == "" {
			fmt.Fprintf(&b, "met      %s\n", r.Name)
			continue
		}
		fmt.Fprintf(&b, "NOT MET  %s (%s)\n           %s\n", r.Name, r.Source, r.Fault)
	}
	for _, remark := range remarks {
		fmt.Fprintf(&b, "remark   %s\n", remark)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
