// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"g500/cmd/cli"
	"g500/comm"
	"g500/internal/machine"
)

// rankLog logs the run on one rank with times: its node, the begin and end of each step, each search, the end. It shows
// for which rank the others wait.
type rankLog struct {
	*cli.Lines
	file *os.File // nil if there is no log
}

// openRankLog opens the log of this rank in a folder. A resumed run continues it. Without a folder there is none.
func openRankLog(dir string, t comm.Transport) (rankLog, error) {
	if dir == "" {
		return rankLog{cli.NewLines(io.Discard, time.Now), nil}, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return rankLog{}, fmt.Errorf("cannot make the folder of logs: %w; name another one with --log-dir", err)
	}
	file, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("rank-%04d.log", t.Rank())),
		os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return rankLog{}, fmt.Errorf("cannot keep a log: %w; name another folder with --log-dir", err)
	}
	log := rankLog{cli.NewLines(stamped{cli.Clean("the log", file), time.Now}, time.Now), file}
	place, onNode := comm.Place(t)
	log.Say("rank %d of %d, on node %s the %d. of %d, process %d, %s",
		t.Rank(), t.Size(), machine.Node(), place+1, onNode, os.Getpid(), programVersion())
	return log, nil
}

// Step logs that a step begins, because a rank that hangs in it logs nothing more.
func (l rankLog) Step(name string, total int64) {
	l.Lines.Step(name, total)
	l.Say("begins: %s", name)
}

// End logs how the rank ended, closes the log and returns err.
func (l rankLog) End(err error) error {
	if err != nil {
		l.Say("ended: %v", err)
	} else {
		l.Say("ended")
	}
	if l.file == nil {
		return err
	}
	return cmp.Or(err, l.file.Close())
}

// stamped writes the time before each line. Each call of Write has one line.
type stamped struct {
	w   io.Writer
	now func() time.Time
}

func (s stamped) Write(line []byte) (int, error) {
	_, err := fmt.Fprintf(s.w, "%s %s", s.now().Format("2006-01-02T15:04:05.000Z07:00"), line)
	return len(line), err
}
