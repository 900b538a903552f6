package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"g500/analysis/net"
	"g500/comm"
	"g500/internal/machine"
)

// The JSON has every pair and size.
func TestNetMeasures(t *testing.T) {
	status, out, errOut := call("net", "--ranks", "3", "--sizes", "8,4096", "--repeats", "3", "--json")
	var f net.Figures
	if err := json.Unmarshal([]byte(out), &f); status != success || err != nil {
		t.Fatalf("status %d, %v\n%s", status, err, errOut)
	}
	if len(f.Nodes) != 3 || len(f.Links) != 12 || f.Links[0].Latency <= 0 {
		t.Errorf("%+v", f)
	}
}

// Ranks of emulated nodes are between nodes.
func TestNetOfEmulatedNodes(t *testing.T) {
	out := mustCall(t, "net", "--ranks", "3", "--emulate-nodes", "2", "--sizes", "8", "--repeats", "1")
	for _, want := range []string{"inside nodes, n = 2\n", "between nodes, n = 4\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// The memory is printed, and too large messages are refused before their allocation.
func TestNetPlansMemory(t *testing.T) {
	total, _ := machine.Memory()
	ranks := fmt.Sprint(total>>31 + 2)
	status, out, errOut := call("net", "--ranks", ranks, "--sizes", "8,1073741824")
	if status != failure || out != "" || !strings.HasPrefix(errOut, "memory: 2 GiB per rank, ranks: "+ranks) ||
		!strings.Contains(lastLine(errOut), "messages of 1 GiB need 2 GiB on each of "+ranks+" ranks") {
		t.Errorf("status %d, %q, %q", status, out, errOut)
	}
}

// fakeGPUs is a gpuTransport with these transports; nccl is missing on rank 1.
type fakeGPUs struct {
	net.Transport
	t          comm.Transport
	transports []string
}

func (g fakeGPUs) Groups() int                        { return 2 }
func (g fakeGPUs) LevelTransports() ([]string, error) { return g.transports, nil }
func (g fakeGPUs) Close() error                       { return nil }

func (g fakeGPUs) OpenLevels(name string, _ int64) (gpuLevels, error) {
	var err error
	if name == "nccl" && g.t.Rank() == 1 {
		err = errors.New("no library")
	}
	return fakeLevels(name), comm.Agree(g.t, err)
}

type fakeLevels string

func (l fakeLevels) Name() string        { return string(l) }
func (l fakeLevels) Kernels() error      { return nil }
func (l fakeLevels) AllGather(int) error { return nil }
func (l fakeLevels) AllToAll(int) error  { return nil }
func (l fakeLevels) Close() error        { return nil }

// A transport that the user has not named may be missing, and the output has the reason. A named one ends the command.
func TestNetMeasuresTransportsThatAreThere(t *testing.T) {
	for _, transports := range [][]string{{"nccl", "staged"}, {"nccl"}} {
		figures := make([]net.Figures, 2)
		err := comm.Loopback(2, func(tr comm.Transport) error {
			o := netOptions{plan: net.Plan{Sizes: []int{8}, Repeats: 1}}
			now := time.Duration(0)
			clock := func() time.Duration { now += time.Microsecond; return now }
			return o.measureLevels(tr, fakeGPUs{t: tr, transports: transports}, &figures[tr.Rank()], clock)
		})
		f := figures[0]
		switch named := len(transports) == 1; {
		case named && (err == nil || !strings.Contains(err.Error(), "rank 1: no library")):
			t.Errorf("nccl is missing and was named: %v", err)
		case !named && (err != nil || len(f.Levels) != 9 || f.Levels[0].Transport != "staged" || f.Groups != 2 ||
			len(f.Unmeasured) != 1 || f.Unmeasured[0] != "nccl: rank 1: no library"):
			t.Errorf("%v, %+v", err, f)
		}
	}
}
