package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"g500/analysis/collect"
	"g500/analysis/scale"
	"g500/cmd/cli"
	"g500/comm"
	"g500/internal/atomicfile"
	"g500/internal/machine"
	"g500/record"
)

// studyCSV is the table of a study's runs, in its folder.
const studyCSV = scale.TableFile

func scaleCommand() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "scale STUDY.toml",
		Short: "Run a scaling study: scales x ranks, several times each, resumable",
		Long: "Run a scaling study, one g500 run after another, and print its scaling tables. Started again, it skips\n" +
			"finished runs and resumes an interrupted one. After a failed run it continues with the next run; the exit\n" +
			"status is 0 only if all runs are VALID. configs/studies/laptop.toml explains the settings.",
		Args: cli.OneArgument("STUDY.toml"),
		RunE: func(c *cobra.Command, args []string) error {
			if starter := comm.Launched().Name; starter != "" {
				return cli.Misuse(fmt.Errorf("%s started g500 scale, which starts ranks itself: run it without, "+
					"and name %[1]s in the study's launch", starter))
			}
			s, err := scale.Load(args[0])
			if err != nil {
				return cli.Misuse(err)
			}
			if output == "" {
				output = filepath.Join("runs", strings.TrimSuffix(filepath.Base(args[0]), ".toml"))
			}
			return runStudy(s, output, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "", "write the study to this folder (default runs/STUDY)")
	return c
}

// runStudy runs a study and prints its tables.
func runStudy(s scale.Study, dir string, out, errOut io.Writer) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find this program to start it again: %w", err)
	}
	// A run, which receives the signal too, ends after 2*cli.Grace at most.
	ctx, end := cli.StoppedWithin(3*cli.Grace, errOut)
	defer end()
	fmt.Fprintf(errOut, "%s scaling, %s, in %s\n", s.Scaling, collect.Count(len(s.Plan()), "run"), dir)
	watch := &studyWatch{w: errOut, dir: dir}
	failed, err := scale.Runner{Study: s, Dir: dir, Program: program, Cores: machine.Cores(), Watch: watch,
		Check: checkRunFlags}.Run(ctx)
	if err = errors.Join(err, watch.err); err != nil {
		return err
	}
	set, err := runsOfStudy(dir)
	if err != nil {
		return err
	}
	tables := set.ScalingTables()
	for _, table := range tables {
		fmt.Fprintf(out, "%s\n", table.Text())
	}
	if len(tables) == 0 {
		fmt.Fprintf(out, "%s\nnothing to compare: a table needs two numbers of ranks\n", set.RunTable().Text())
	}
	noteOutsideScaling(out, set)
	fmt.Fprintf(out, "%s: %d of %s valid; g500 report %s makes tables and pictures\n",
		filepath.Join(dir, studyCSV), len(s.Plan())-failed, collect.Count(len(s.Plan()), "run"), dir)
	if failed > 0 {
		return cli.ErrInvalid
	}
	return nil
}

// noteOutsideScaling prints which runs are in no scaling table, and why.
func noteOutsideScaling(w io.Writer, set *collect.Set) {
	for _, left := range set.OutsideScaling() {
		fmt.Fprintf(w, "note: in no scaling table: %v\n", left)
	}
}

// runsOfStudy returns the runs in the folder of a study, without studies below it.
func runsOfStudy(dir string) (*collect.Set, error) {
	set, err := collect.Read(dir)
	if err != nil {
		return nil, err
	}
	return set.OfStudy("."), nil
}

// studyWatch prints a line for each run, and writes the study's table after it.
type studyWatch struct {
	w   io.Writer
	dir string
	err error // of the table
}

func (s *studyWatch) Settled(of scale.Study) {
	if of.Threads == 0 {
		return
	}
	cores, most := machine.Cores(), slices.Max(of.Sizes())
	fmt.Fprintf(s.w, "each rank of each run has %s, on %s; threads = N in the study sets another number\n",
		collect.Count(of.Threads, "thread"), collect.Count(cores, "core"))
	if len(of.Launch) == 0 && most*of.Threads > cores {
		fmt.Fprintf(s.w, "note: %s of %s share %s, so their rates do not show how the program scales\n",
			collect.Count(most, "rank"), collect.Count(of.Threads, "thread"), collect.Count(cores, "core"))
	}
}

func (s *studyWatch) Begins(r scale.Planned, i, n int, resumed bool) {
	verb := "begins"
	if resumed {
		verb = "resumes"
	}
	fmt.Fprintf(s.w, "run %d/%d, %v: %s\n", i, n, r, verb)
}

func (s *studyWatch) Ended(r scale.Planned, i, n int, result *record.Run, now bool, err error) {
	end := "was done before"
	if now {
		end = "done"
	}
	if err != nil {
		end = fmt.Sprintf("FAILED: %v (%s)", err, filepath.Join(s.dir, r.String()))
	} else {
		for _, k := range result.Kernels {
			t := result.Statistics(k).TEPS
			end += fmt.Sprintf(", %s %s, standard error %s, n = %d", k.Kernel,
				record.FormatTEPS(t.HarmonicMean), record.FormatTEPS(t.HarmonicStddev), len(k.Searches))
		}
	}
	fmt.Fprintf(s.w, "run %d/%d, %v: %s\n", i, n, r, end)
	set, err := runsOfStudy(s.dir)
	if err == nil {
		err = atomicfile.Write(filepath.Join(s.dir, studyCSV), set.WriteCSV)
	}
	s.err = errors.Join(s.err, err)
}
