//go:build cuda && cgo

package bfs

import (
	"fmt"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/internal/trace"
)

// asking launches ranks that are said to be on hosts of two ranks each, and has these ask each other in graphs of any
// size until the test ends.
func asking(t *testing.T) bfstest.Launch {
	launch := onHosts(t)
	bounds.AsksFrom = 0
	return launch
}

// Ranks of several hosts tell each other few bits, and ask for the others. The ranks of a host are peers, share memory
// or send messages too.
func TestConformanceWithQuestions(t *testing.T) {
	for _, way := range gputest.Carriers[:4] {
		for name := range Exchanges {
			for _, wide := range []bool{false, true} {
				o := searching(name)
				o.Wide = wide
				t.Run(fmt.Sprintf("%s/exchange=%s/wide=%v", way.Name, name, wide), func(t *testing.T) {
					gputest.BothWays(t, func(t *testing.T) { bfstest.Run(t, engineOn(way.Join, o), asking(t), 3, 4) })
				})
			}
		}
	}
}

// Questions go in rounds where there is little room, and parents that were found by an answer have labels to be asked
// for.
func TestConformanceWithQuestionsInRounds(t *testing.T) {
	o := searching("auto")
	o.Known, o.Policy.RoundPairs = 1, 24
	engine := engineOn(gputest.Chosen(device.CarrierMPI), o)
	gputest.BothWays(t, func(t *testing.T) { bfstest.Run(t, engine, asking(t), 4) })
}

// The trace tells questions and answers apart, which together are less than the bits that they stand for. Ranks are on
// hosts of their own: the more hosts, the fewer bits are told, and the more questions there are.
func TestTraceOfQuestions(t *testing.T) {
	sent := func(launch bfstest.Launch) map[string]int64 {
		by := map[string]int64{}
		traced(t, launch, func(host comm.Transport, levels []trace.Step) error {
			for _, l := range levels {
				for _, part := range l.Traffic {
					if host.Rank() == 0 && part.Carrier == trace.NetworkCarrier {
						by[part.Form] += part.Sent
					}
				}
			}
			return nil
		})
		return by
	}
	launch := onHostsOf(t, 1)
	telling := sent(launch)
	bounds.AsksFrom = 0
	asking := sent(launch)
	some := asking[trace.QuestionsForm] > 0 && asking[trace.AnswersForm] > 0 && telling[trace.QuestionsForm] == 0
	if !some || asking[trace.BitmapForm] >= telling[trace.BitmapForm] {
		t.Errorf("bytes to other hosts, asking %v, else %v", asking, telling)
	}
}
