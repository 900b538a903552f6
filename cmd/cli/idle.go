// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"
)

// RefuseIdle returns a misuse error if the command line has a flag that has no effect. why ends the sentence "--name
// has no effect ...". f is nil if there is no command line.
func RefuseIdle(f *pflag.FlagSet, name, why string) error {
	if f != nil && f.Changed(name) {
		return Misuse(fmt.Errorf("--%s has no effect %s: leave it out", name, why))
	}
	return nil
}

// RefuseTogether returns a misuse error if the command line has more than one of the flags.
func RefuseTogether(f *pflag.FlagSet, names ...string) error {
	first := ""
	for _, name := range names {
		switch {
		case !f.Changed(name):
		case first != "":
			return Misuse(fmt.Errorf("--%s and --%s exclude each other: choose one", first, name))
		default:
			first = name
		}
	}
	return nil
}

// RefuseOthers returns a misuse error if the command line has a flag other than --name, which makes others idle, and
// the allowed ones.
func RefuseOthers(f *pflag.FlagSet, name string, allowed ...string) (err error) {
	f.Visit(func(other *pflag.Flag) {
		if other.Name != name && !slices.Contains(allowed, other.Name) && err == nil {
			err = RefuseIdle(f, other.Name, "with --"+name)
		}
	})
	return err
}
