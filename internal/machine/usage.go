// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Usage measures the share of the node's logical processors that processes other than this one and its children use.
type Usage struct {
	of    Root
	began ticks
}

// ticks are the times that the kernel has counted since the start of the node, in its own unit.
type ticks struct {
	cores     float64 // logical processors
	all, busy float64 // of all processors; busy includes time taken by a hypervisor
	own       float64 // of this process and its children, also of those for which it has waited
}

// BeginUsage begins a measurement.
func (k Root) BeginUsage() Usage { return Usage{k, k.ticks()} }

// Others returns the share that others have used since BeginUsage, from 0 to 1. It is 0 within half a second,
// because the kernel counts in units of 10 ms, and if the kernel shows no times.
func (u Usage) Others() float64 {
	now := u.of.ticks()
	all := now.all - u.began.all
	if all < 50*max(now.cores, 1) {
		return 0
	}
	return max(0, (now.busy-u.began.busy)-(now.own-u.began.own)) / all
}

// ticks reads the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; the rest is part of
// user. It reads user, system and ended children's times of this process and of each child, after the name in brackets.
func (k Root) ticks() (t ticks) {
	text := k.text("proc/stat")
	t.cores = float64(strings.Count(text, "\ncpu"))
	cells := strings.Fields(text)
	for i, cell := range cells[:min(9, len(cells))] {
		n, _ := strconv.ParseFloat(cell, 64) // 0 for the name
		t.all += n
		if i != 4 && i != 5 {
			t.busy += n
		}
	}
	own := []string{"self"}
	lists, _ := filepath.Glob(k.path("proc/self/task/*/children"))
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		own = append(own, strings.Fields(string(children))...)
	}
	for _, process := range own {
		stat := k.text("proc", process, "stat")
		cells = strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
		for i := 11; i < min(15, len(cells)); i++ {
			n, _ := strconv.ParseFloat(cells[i], 64)
			t.own += n
		}
	}
	return t
}
