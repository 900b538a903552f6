package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"g500/analysis/report"
	"g500/graph/formats"
	"g500/lab"
	"g500/lab/color"
	labstudy "g500/lab/study"
)

// studyPage is the page of a study of the laboratory, in its folder.
const studyPage = "study.md"

func labStudyCommand() *cobra.Command {
	var where labMachines
	var output, files string
	var only []string
	names := strings.Join(labstudy.Names(), ", ")
	c := &cobra.Command{
		Use:   "study STUDY",
		Short: "Measure the claims of a paper about its strategies; resumable",
		Long: "Measure the graphs and strategies of a study and compare each figure of the paper with the measurement,\n" +
			"with a verdict by a stated rule. STUDY is one of " + names + ",\n" +
			"or a file like lab/study/merrill.toml, which explains the settings. Started again, it resumes with the next\n" +
			"graph. The folder gets study.md, study.json, and for each graph a file with all searches.",
		Args:      oneArgument("STUDY"),
		ValidArgs: labstudy.Names(),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := labstudy.Load(args[0])
			if err == nil {
				err = cmp.Or(checkSpecs(s), where.check(), s.Choose(only))
			}
			if err != nil {
				return misuseError{err}
			}
			missing, err := s.FindFiles(files, formats.ReadsExtension)
			if err != nil {
				return misuseError{err}
			}
			if len(missing) > 0 {
				fmt.Fprintf(c.ErrOrStderr(), "left out without files (--files): %s\n", strings.Join(missing, ", "))
			}
			if output == "" {
				output = filepath.Join("runs", "lab", s.Name)
			}
			result, err := measureStudy(s, output, &where, c.ErrOrStderr())
			if err != nil {
				return err
			}
			return printStudy(result, output, c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&output, "output", "", "write the study to this folder (default runs/lab/STUDY)")
	c.Flags().StringVar(&files, "files", "", "take the graphs of collections from this folder; else they are left out")
	c.Flags().StringSliceVar(&only, "only", nil, "measure only these graphs of the study")
	where.addTo(c.Flags())
	return c
}

// measureStudy measures a study on machines that search or colour.
func measureStudy(s labstudy.Study, dir string, on *labMachines, errOut io.Writer) (r *labstudy.Result, err error) {
	load, program := labGraphs(errOut), programVersion().String()
	began := time.Now()
	clock := func() time.Duration { return time.Since(began) }
	searches := func(ctx context.Context, all []lab.Machine, show progress) (err error) {
		r, err = labstudy.RunSearches(ctx, s, labstudy.Runner[lab.Machine]{Dir: dir, Program: program, Machines: all,
			Load: load, Watch: show, Clock: clock})
		return err
	}
	colorings := func(ctx context.Context, all []color.Machine, show progress) (err error) {
		r, err = labstudy.RunColorings(ctx, s, labstudy.Runner[color.Machine]{Dir: dir, Program: program, Machines: all,
			Load: load, Watch: show})
		return err
	}
	if s.Kind == labstudy.Color {
		err = useLab(on, errOut, openColorers, colorings)
	} else {
		err = useLab(on, errOut, openSearchers, searches)
	}
	return r, err
}

// checkSpecs checks the specs of all graphs.
func checkSpecs(s labstudy.Study) error {
	for _, g := range s.Graphs {
		if _, err := formats.Parse(g.Spec); err != nil {
			return fmt.Errorf("graph %s: %w", g.Name, err)
		}
	}
	return nil
}

// printStudy writes the page of a study, without pictures, and prints its verdicts.
func printStudy(r *labstudy.Result, dir string, out io.Writer) error {
	p := report.OfStudies("g500: "+r.Study.Paper, []labstudy.Result{*r})
	p.Groups = nil
	if err := writeFile(filepath.Join(dir, studyPage), p.WriteMarkdown); err != nil {
		return err
	}
	for _, f := range r.Findings {
		fmt.Fprintf(out, "%s: %s\n    %s measured, %s published: %s\n", f.Place, f.Says, f.MeasuredText(),
			f.PublishedText(), f.Sentence)
	}
	fmt.Fprintf(out, "%s has all figures; g500 report %s draws them\n", filepath.Join(dir, studyPage), dir)
	if r.Wrong() {
		return errInvalid
	}
	return nil
}
