// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// RefuseIdle returns a misuse error if the command line has one of the flags, which have no effect. why ends the
// sentence "--name has no effect ...". f is nil if there is no command line.
func RefuseIdle(f *pflag.FlagSet, why string, names ...string) error {
	for _, name := range names {
		if f != nil && f.Changed(name) {
			return Misuse(fmt.Errorf("--%s has no effect %s: leave it out", name, why))
		}
	}
	return nil
}

// exclusive is cobra's annotation of a flag with the groups of flags that exclude each other.
const exclusive = "cobra_annotation_mutually_exclusive"

// refuseExclusive returns a misuse error if the command line has two flags of a group of MarkFlagsMutuallyExclusive.
func refuseExclusive(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		for _, group := range f.Annotations[exclusive] {
			absent := func(name string) bool { return !c.Flags().Changed(name) }
			if given := slices.DeleteFunc(strings.Fields(group), absent); len(given) > 1 && err == nil {
				err = Misuse(fmt.Errorf("--%s and --%s exclude each other: choose one", given[0], given[1]))
			}
		}
	})
	return err
}

// RefuseOthers returns a misuse error if the command line has a flag other than --name, which makes others idle, and
// the allowed ones.
func RefuseOthers(f *pflag.FlagSet, name string, allowed ...string) (err error) {
	f.Visit(func(other *pflag.Flag) {
		if other.Name != name && !slices.Contains(allowed, other.Name) && err == nil {
			err = RefuseIdle(f, "with --"+name, other.Name)
		}
	})
	return err
}
