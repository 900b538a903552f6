// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"g500/docs/schema"
)

func schemaCommand() *cobra.Command {
	names := strings.Join(schema.Names(), ", ")
	return &cobra.Command{
		Use:   "schema NAME",
		Short: "Print the JSON Schema of a document that g500 or g500-lab writes",
		Long: "Print the JSON Schema (draft 2020-12) of a document that a command prints with --json. A name ends with\n" +
			"the document's format; the one of run is also the schema of run.json. NAME is one of\n" + names + ".",
		Args:      OneArgument("NAME"),
		ValidArgs: schema.Names(),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := schema.Of(args[0])
			if err != nil {
				return Misuse(fmt.Errorf("there is no schema %q: choose one of %s", args[0], names))
			}
			_, err = c.OutOrStdout().Write(text)
			return err
		},
	}
}
