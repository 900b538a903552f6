package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/analysis/model"
	"g500/analysis/plot"
	"g500/internal/output"
	"g500/record"
)

// modelOptions are the flags of "g500 model".
type modelOptions struct {
	scale, ranks                                         int
	exchange, scaling, compare, profile, network, output string
	networks, printProfile, json                         bool
}

// printable is a prediction, as text or as JSON.
type printable interface{ Write(io.Writer) error }

func modelCommand() *cobra.Command {
	opt := modelOptions{scale: 28, ranks: 4, exchange: string(model.Bitmap)}
	machine := model.H200()
	c := &cobra.Command{
		Use:   "model",
		Short: "Predict the cost of a search on many GPUs, from stated assumptions",
		Long: "Predict time, bytes and memory of a search of the official graph, with one GPU per rank. By default the\n" +
			"machine consists of nodes of H200s; docs/MODEL.md derives the figures.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := opt.machine(c.Flags(), &machine)
			if err := cmp.Or(opt.refuseIdle(c.Flags()), err); err != nil {
				return misuseError{err}
			}
			if opt.printProfile {
				return p.WriteTOML(c.OutOrStdout())
			}
			result, err := opt.predict(c, p)
			if err != nil {
				return misuseError{err}
			}
			if !opt.json {
				return result.Write(c.OutOrStdout())
			}
			return output.Document(c.OutOrStdout(), model.Format, result)
		},
	}
	f := c.Flags()
	f.IntVar(&opt.scale, "scale", opt.scale, "set the number of vertices to 2^scale; with --scaling weak, on each rank")
	f.IntVar(&opt.ranks, "ranks", opt.ranks,
		"predict for this many ranks of one GPU; with --scaling up to this many (4096)")
	f.StringVar(&opt.exchange, "exchange", opt.exchange,
		"exchange the frontier by: bitmap, gaps, queries, hubs, grid or bins")
	f.StringVar(&opt.scaling, "scaling", "", "print a table for 1, 2, 4 ... ranks: weak or strong scaling")
	f.StringVar(&opt.compare, "compare", "",
		"predict and compare this traced run, given by its JSON file or its folder")
	f.StringVar(&opt.profile, "machine", "", "read the machine from this TOML file, as g500 net --machine writes it")
	f.StringVar(&opt.network, "network", "", "use a network by name: "+model.NetworkNames())
	f.BoolVar(&opt.networks, "networks", false, "print a table of all exchanges on each network that has a name")
	f.StringVar(&opt.output, "output", "", "with --scaling, draw the table as pictures in this folder")
	f.BoolVar(&opt.printProfile, "print-machine", false, "print the machine in the format of --machine")
	f.BoolVar(&opt.json, "json", false, "print JSON, in base units: seconds, bytes, TEPS")
	f.IntVar(&machine.Node.Ranks, "ranks-per-node", machine.Node.Ranks,
		"set the number of ranks, and of GPUs, per node")
	f.Float64Var(&machine.Node.PeerGBs, "peer-gbs", machine.Node.PeerGBs,
		"set the rate at which a GPU writes to its peers, in GB/s")
	f.Float64Var(&machine.Node.Barrier, "barrier-us", machine.Node.Barrier,
		"set the time of a barrier over the GPUs of a node, in us")
	f.Float64Var(&machine.Network.GBs, "network-gbs", machine.Network.GBs,
		"set the network bandwidth of a rank in each direction, in GB/s")
	f.Float64Var(&machine.Network.Latency, "latency-us", machine.Network.Latency,
		"set the latency of a message between nodes, in us")
	return c
}

// refuseIdle refuses flags that have no effect on the chosen output.
func (o modelOptions) refuseIdle(f *pflag.FlagSet) error {
	prints := []string{"print-machine", "compare", "scaling", "networks"}
	if err := refuseTogether(f, prints...); err != nil {
		return err
	}
	const (
		onlyMachine = "with --print-machine, which predicts nothing"
		ofRun       = "with --compare, which takes it from the run"
		all         = "with --networks, which has all of them"
	)
	return refuseIdle(f,
		idleFlag{"scale", o.printProfile, onlyMachine}, idleFlag{"scale", o.compare != "", ofRun},
		idleFlag{"ranks", o.printProfile, onlyMachine}, idleFlag{"ranks", o.compare != "", ofRun},
		idleFlag{"exchange", o.printProfile, onlyMachine}, idleFlag{"exchange", o.networks, all},
		idleFlag{"exchange", o.scaling != "", "with --scaling, which has all exchanges"},
		idleFlag{"json", o.printProfile, "with --print-machine, which prints TOML"},
		idleFlag{"network", o.networks, all}, idleFlag{"network-gbs", o.networks, all},
		idleFlag{"latency-us", o.networks, all},
	)
}

// machine returns the profile: the one of the file or the default, with the named network and the flags.
func (o modelOptions) machine(f *pflag.FlagSet, bound *model.Profile) (p model.Profile, err error) {
	p = model.H200()
	if o.profile != "" {
		if p, err = model.LoadProfile(o.profile); err != nil {
			return p, err
		}
	}
	if o.network != "" {
		if p.Network, err = model.ParseNetwork(o.network); err != nil {
			return p, err
		}
	}
	err = over(f, bound, p)
	return *bound, cmp.Or(err, bound.Check())
}

// predict returns the prediction that the flags choose.
func (o modelOptions) predict(c *cobra.Command, p model.Profile) (printable, error) {
	scheme, err := model.ParseScheme(o.exchange)
	if err != nil {
		return nil, err
	}
	given := c.Flags().Changed
	if o.output != "" && o.scaling == "" {
		return nil, errors.New("--output is for the pictures of a table: give --scaling too")
	}
	switch {
	case o.compare != "":
		run, err := readRun(o.compare)
		if err != nil {
			return nil, err
		}
		if !given("ranks-per-node") && len(run.Environment.Nodes) > 0 {
			p.Node.Ranks = model.RanksPerNode(run)
		}
		return model.Compare(run, p, scheme)
	case o.scaling != "":
		if o.scaling != "weak" && o.scaling != "strong" {
			return nil, fmt.Errorf("--scaling is weak or strong, not %q", o.scaling)
		}
		if !given("ranks") {
			o.ranks = 4096
		}
		return o.table(p)
	}
	g, err := model.NewGraph(o.scale)
	if err != nil {
		return nil, err
	}
	if o.networks {
		return model.PredictNetworks(g, o.ranks, p)
	}
	return model.Predict(g, o.ranks, p, scheme)
}

// table predicts for many numbers of ranks, and draws the table if --output names a folder.
func (o modelOptions) table(p model.Profile) (printable, error) {
	s, err := model.Scale(o.scale, o.ranks, o.scaling == "weak", p)
	if err != nil || o.output == "" {
		return s, err
	}
	return s, writePictures(o.output, plot.OfModel(s))
}

// writePictures writes pictures as SVG into a folder.
func writePictures(dir string, pictures []*plot.Picture) error {
	err := os.MkdirAll(dir, 0o755)
	for _, picture := range pictures {
		err = cmp.Or(err, writeFile(filepath.Join(dir, picture.Name+".svg"), picture.WriteSVG))
	}
	return err
}

// readRun reads a run from its JSON file or its folder. It refuses a run whose record contradicts itself.
func readRun(path string) (*record.Run, error) {
	text, err := record.Stored(path)
	if info, missing := os.Stat(path); missing == nil && !info.IsDir() {
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the run: %w", err)
	}
	run, err := record.Parse(text)
	if err == nil && run.Contradiction != "" {
		err = fmt.Errorf("the run in %s is inconsistent: %s", path, run.Contradiction)
	}
	return run, err
}
