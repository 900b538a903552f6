// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"g500/analysis/net"
	"g500/comm"
)

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
