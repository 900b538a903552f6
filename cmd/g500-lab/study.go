// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"g500/analysis/collect"
	"g500/cmd/cli"
	"g500/lab"
	"g500/lab/page"
	"g500/lab/study"
)

// studyPage is the page of a study in its folder.
const studyPage = "study.md"

func studyCommand() *cobra.Command {
	var opt options
	var output, files, size string
	var only []string
	var limit time.Duration
	names := strings.Join(study.Names(), ", ")
	c := &cobra.Command{
		Use: "study STUDY",
		Long: "Measure the graphs and strategies of a study and compare each figure of the paper with the measurement,\n" +
			"with a verdict by a stated rule. STUDY is one of " + names + ",\n" +
			"or a file like lab/study/merrill.toml, which explains the settings. Strategies take turns, source by source;\n" +
			"one is measured twice, and if the two differ, rates have no verdicts. Started again, it resumes. The folder\n" +
			"gets study.md, study.json, and for each graph a file with all searches.",
		Args:      cli.Arguments(1, 1, "one STUDY"),
		ValidArgs: study.Names(),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := study.Load(args[0])
			if err == nil {
				if size == study.Small {
					s.Shrink()
				}
				err = cmp.Or(opt.checkThreads(), s.Choose(only))
			}
			if err == nil && limit < 0 {
				err = fmt.Errorf("--limit %v is negative: choose a time such as 10m", limit)
			}
			if err != nil {
				return cli.Misuse(err)
			}
			if s.Kind == study.Color && len(opt.plugins) > 0 {
				return cli.Misuse(errors.New("colourings have no plugins: leave --plugin out"))
			}
			opt.needGPU(c.Flags(), "plugin", "")
			opt.plugins = append(opt.plugins, s.Plugins...)
			missing, err := s.FindFiles(files)
			if err != nil {
				return cli.Misuse(err)
			}
			if len(missing) > 0 {
				fmt.Fprintf(c.ErrOrStderr(), "left out without files (--files): %s\n", strings.Join(missing, ", "))
			}
			if output == "" {
				output = filepath.Join("runs", "lab", strings.TrimSuffix(s.Name+"-"+s.Size, "-"))
			}
			result, err := measure(s, output, limit, &opt, c)
			if errors.Is(err, context.Canceled) {
				fmt.Fprintf(c.ErrOrStderr(), "the same command resumes the study in %s\n", output)
			}
			if err != nil {
				return err
			}
			return printStudy(result, output, c.OutOrStdout())
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "", "write the study to this folder (default runs/lab/STUDY)")
	c.Flags().StringVar(&files, "files", "", "take the graphs of collections from this folder; else they are left out")
	c.Flags().StringVar(&size, "size", "published", "use graphs of this size: published, or small for laptops")
	c.Flags().StringSliceVar(&only, "only", nil, "measure only these graphs of the study")
	c.Flags().DurationVar(&limit, "limit", 0, "stop after this time, as 10m; the same command resumes (0: no limit)")
	opt.machinesTo(c.Flags())
	opt.pluginsTo(c.Flags())
	return c
}

func pageCommand() *cobra.Command {
	const kind = "Studies of published strategies"
	records := []string{"*.json"}
	c := &cobra.Command{
		Use: "judge DIR [STUDY]",
		Args: func(c *cobra.Command, args []string) error {
			return cli.Arguments(1, 1, "one DIR")(c, args[:min(1, len(args))])
		},
	}
	return cli.PageCommand(c, kind, records, func(from cli.Runs, title string, notes io.Writer) (cli.Content, error) {
		var by *study.Study
		if name := c.Flags().Arg(1); name != "" {
			s, err := study.Load(name)
			if err != nil {
				return cli.Content{}, err
			}
			by = &s
		}
		studies, unread := study.Read(from.Dir, by)
		if len(studies) == 0 {
			err := fmt.Errorf("there is no study in %s: g500-lab study writes one", from.Dir)
			if info, failed := os.Stat(from.Dir); failed != nil || !info.IsDir() {
				err = fmt.Errorf("cannot read %s as a folder of studies: check the path", from.Dir)
			}
			if stored, _ := study.Read(from.Dir, nil); len(stored) > 0 {
				err = fmt.Errorf("%s has the figures of %s, not of %s: name one of these, or a file with such a name", from.Dir,
					study.NamesOf(stored), by.Name)
			}
			return cli.Content{}, from.Named(collect.WithUnread(err, unread))
		}
		for _, sentence := range unread {
			fmt.Fprintf(notes, "note: %v\n", from.Named(errors.New(sentence)))
		}
		return cli.Content{Page: page.Of(title, studies), From: page.Count(studies)}, nil
	})
}

// measure measures a study on machines that search or colour.
func measure(s study.Study, dir string, limit time.Duration, opt *options, c *cobra.Command) (*study.Result, error) {
	open := openSearchers
	if s.Kind == study.Color {
		open = openColorers
	}
	return use(opt, c, open, func(in session, all []lab.Machine) (*study.Result, error) {
		r := study.Runner{Dir: dir, Program: cli.ProgramVersion(c.Root().Name()).String(), Machines: all, Load: in.load,
			Watch: in.watch, Clock: in.clock, Until: limit}
		if in.gpu != "" {
			r.OtherGPU = gpuBusy(in.busID)
		}
		return r.Run(in.ctx, s)
	})
}

// printStudy writes the tables of a study and prints its verdicts.
func printStudy(r *study.Result, dir string, out io.Writer) error {
	p := page.Of("g500: "+r.Study.Paper, []study.Result{*r})
	if err := cli.WriteFile(filepath.Join(dir, studyPage), p.WriteMarkdown); err != nil {
		return err
	}
	for _, f := range slices.Concat(r.Pairs, r.Findings) {
		measured := f.MeasuredText() + " measured"
		if f.PublishedText() != "" {
			measured += ", " + f.PublishedText() + " published"
		}
		fmt.Fprintf(out, "%s: %s\n    %s: %s\n", f.Place, f.Says, measured, f.Sentence)
	}
	if len(r.Missing) > 0 {
		fmt.Fprintf(out, "stopped at the time limit, the same command resumes: %s\n", strings.Join(r.Missing, ", "))
	}
	fmt.Fprintf(out, "%s has all figures; g500-lab judge %s draws them\n", filepath.Join(dir, studyPage), dir)
	if r.Wrong() {
		return cli.ErrInvalid
	}
	return nil
}
