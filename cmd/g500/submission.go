package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"g500/analysis/submission"
	"g500/cmd/cli"
)

func submissionCommand() *cobra.Command {
	var output, unpruned string
	c := &cobra.Command{
		Use:   "submission DIR",
		Short: "Check a stored run against the rules of the list, and pack a submission",
		Long: "Check the run in an output folder against the rules of the Graph500 list, name each rule that it does\n" +
			"not meet, and pack a submission: the output block, a description of the system to complete, the JSON,\n" +
			"checksums. Pruned shortest paths are submitted only together with unpruned ones (--unpruned). The exit\n" +
			"status is 0 only if every rule is met; otherwise nothing is packed.",
		Args: cli.OneArgument("folder of g500 run --output"),
		RunE: func(c *cobra.Command, args []string) error {
			if output == "" {
				output = filepath.Join(args[0], "submission")
			}
			return submit(args[0], unpruned, output, c.OutOrStdout())
		},
	}
	c.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	c.Flags().StringVarP(&output, "output", "o", "",
		"write to this folder, .tar, .tar.gz or .tgz file (default DIR/submission)")
	c.Flags().StringVar(&unpruned, "unpruned", "",
		"add the same run with --prune none, from this folder, to one with --prune hub")
	return c
}

func submit(dir, unpruned, output string, out io.Writer) error {
	run, err := submission.Open(dir)
	if err != nil {
		return cli.Misuse(err)
	}
	if unpruned != "" {
		other, err := submission.Open(unpruned)
		if err == nil {
			err = run.AddUnpruned(other)
		}
		if err != nil {
			return cli.Misuse(err)
		}
	}
	rules := run.Check()
	if err := submission.Write(out, rules, run.Remarks()); err != nil {
		return err
	}
	if !submission.Met(rules) {
		fmt.Fprintln(out, "\nThe run cannot be submitted: nothing was written.")
		return cli.ErrInvalid
	}
	if err := run.Pack(output, rules); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\nThe submission is in %s. Complete its system.txt.\n", output)
	return err
}
