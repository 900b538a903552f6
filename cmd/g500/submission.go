// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"g500/analysis/submission"
	"g500/cmd/cli"
	"g500/record"
)

func submissionCommand() *cobra.Command {
	var output, unpruned string
	var check bool
	c := &cobra.Command{
		Use:  "submission DIR",
		Args: cli.Arguments(1, 1, "one folder of g500 run --output"),
		RunE: func(c *cobra.Command, args []string) error {
			if check {
				return checkSubmission(args[0], c.OutOrStdout())
			}
			if output == "" {
				output = filepath.Join(args[0], "submission")
			}
			return submit(args[0], unpruned, output, c.OutOrStdout())
		},
	}
	c.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	c.Flags().StringVarP(&output, "output", "o", "",
		"write to this folder, .tar, .tar.gz or .tgz file (default DIR/submission)")
	c.Flags().BoolVar(&check, "check", false, "check a run, or the output of another program, and pack nothing")
	c.Flags().StringVar(&unpruned, "unpruned", "",
		"add the same run with --prune none, from this folder, to one with --prune hub")
	c.MarkFlagsMutuallyExclusive("check", "output")
	c.MarkFlagsMutuallyExclusive("check", "unpruned")
	return c
}

// checkSubmission checks a stored run, or the output of another program, and packs nothing.
func checkSubmission(dir string, out io.Writer) error {
	var checked interface {
		Check() []submission.Rule
		Remarks() []string
	}
	_, err := os.Lstat(filepath.Join(dir, record.File))
	if err == nil {
		checked, err = submission.Open(dir)
	} else {
		checked, err = submission.OpenOutput(dir)
	}
	if err != nil {
		return cli.Misuse(err)
	}
	if err := meets(checked.Check(), checked.Remarks(), "The output does not meet the rules.", out); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, "\nThe output meets the rules.")
	return err
}

// meets prints rules and remarks, and the refusal if a rule is not met.
func meets(rules []submission.Rule, remarks []string, refusal string, out io.Writer) error {
	if err := submission.Write(out, rules, remarks); err != nil {
		return err
	}
	if len(submission.Broken(rules)) > 0 {
		fmt.Fprintln(out, "\n"+refusal)
		return cli.ErrInvalid
	}
	return nil
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
	if err := meets(rules, run.Remarks(), "The run cannot be submitted: nothing was written.", out); err != nil {
		return err
	}
	if err := run.Pack(output, rules); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\nThe submission is in %s. Complete its system.txt.\n", output)
	return err
}
