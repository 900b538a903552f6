package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"syscall"
	"time"
)

const term = syscall.SIGTERM

// grace is the time that a process gets after SIGTERM before it is killed.
const grace = 10 * time.Second

// result is how a job ended.
type result struct {
	job   job
	ends  []end  // of its processes, in order; the last one's counts
	fault string // the first rule that it broke, "" if it is as it must be
}

// end is how a process ended.
type end struct {
	command     []string
	out, errOut string
	status      int // -1 if a signal ended it
	seconds     float64
	hung        bool // it reached the time limit
}

// run runs a job and checks its end.
func run(o options, j job, agreed *agreement) result {
	r := result{job: j}
	if j.input.prepare != nil {
		r.ends = append(r.ends, start(o, append([]string{o.program}, j.input.prepare...), job{}))
		if e := r.last(); e.status != 0 {
			r.fault = "the input could not be written: " + e.errOut
			return r
		}
	}
	r.ends = append(r.ends, start(o, j.command(o, j.args), j))
	if j.stop != nil {
		if r.fault = interrupted(r.last()); r.fault != "" {
			return r
		}
		j.stop, j.want = nil, mayFail // there may be nothing to resume, or nothing left
		if r.last().status == 0 {
			return r
		}
		r.ends = append(r.ends, start(o, j.command(o, j.resumption()), j))
	}
	r.job.want = j.want
	if r.fault = check(j, r.last()); r.fault == "" && r.last().status == 0 {
		r.fault = agreed.check(j, r.last())
	}
	return r
}

// last returns the end of the job's last process.
func (r result) last() end { return r.ends[len(r.ends)-1] }

// seconds is the time that all processes of the job took.
func (r result) seconds() (sum float64) {
	for _, e := range r.ends {
		sum += e.seconds
	}
	return sum
}

// start runs one process of a job and waits for its end. At the time limit it is ended.
func start(o options, command []string, j job) end {
	ctx, cancel := context.WithTimeout(context.Background(), o.limit)
	defer cancel()
	var out, errOut bytes.Buffer
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Stdout, c.Stderr = &out, &errOut
	c.Cancel = func() error { return c.Process.Signal(term) } // a launcher then ends its ranks
	c.WaitDelay = grace
	stdin, err := j.input.open()
	if err != nil {
		return end{command: command, errOut: err.Error(), status: -1}
	}
	if stdin != nil {
		defer stdin.Close()
		c.Stdin = io.MultiReader(stdin) // no *os.File, so that the program gets a pipe
	}
	began := time.Now()
	if err = c.Start(); err == nil {
		if j.stop != nil {
			timer := time.AfterFunc(j.stopAt, func() { c.Process.Signal(j.stop) })
			defer timer.Stop()
		}
		err = c.Wait()
	}
	e := end{command: command, out: out.String(), errOut: errOut.String(), seconds: time.Since(began).Seconds(),
		hung: ctx.Err() != nil}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		e.status = exit.ExitCode()
	} else if err != nil && c.ProcessState == nil {
		e.status, e.errOut = -1, err.Error()
	}
	return e
}

// commands returns the command lines of the job's processes, with $TMP for the folder of temporary files.
func (r result) commands(o options, folder string) (lines []string) {
	for _, e := range r.ends {
		lines = append(lines, shellLine(e.command, folder))
	}
	if in := r.job.input; in.pipe && len(lines) > 0 {
		lines[len(lines)-1] = "cat " + in.stdin + " | " + lines[len(lines)-1]
	}
	return lines
}
