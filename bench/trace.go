package bench

import (
	"time"

	"g500/bfs"
	"g500/report"
)

// noteTrace says that a trace was asked for in vain.
func (b *benchmark) noteTrace(e bfs.Engine) {
	if _, can := e.(bfs.Tracer); b.cfg.Search.Trace && !can {
		b.note("engine %s keeps no trace", b.kit.Name)
	}
}

// timeKernels has each kernel timed from here on, after the self-test, where the run is to and the kit can.
func (b *benchmark) timeKernels() {
	if b.cfg.Search.Sync && b.kit.TimeKernels != nil {
		b.kit.TimeKernels()
		b.note("every kernel was waited for and timed (search.sync), so all times are longer than without")
	}
}

// trace asks the engine what its last search did, where the run is to tell and the engine can.
func (b *benchmark) trace(e bfs.Engine) ([]report.Level, error) {
	tracer, can := e.(bfs.Tracer)
	if !b.cfg.Search.Trace || !can {
		return nil, nil
	}
	steps, err := tracer.Trace()
	levels := make([]report.Level, len(steps))
	for i, s := range steps {
		levels[i] = report.Level{
			Step: s.Step, Frontier: s.Frontier, Edges: s.Edges, Bytes: s.Bytes,
			Seconds: time.Duration(s.Nanoseconds).Seconds(),
		}
	}
	return levels, err
}
